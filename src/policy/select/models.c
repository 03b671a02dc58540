/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What depends on the processor's model: lists of intel_pstate by kernel version, parts with HWP,
 * AMD parts with CPPC. Versions are those of the release in which a model first stands on a list;
 * backports to stable kernels are not followed.
 *
 * Checked against source is Linux 6.1.192: what has a version up to 6.1 stands on its lists, and
 * nothing else (tests/policy). When exactly it came there is by the change logs, from memory: what
 * is sure is "not later than 6.1", or "later".
 */
#include "policy/select/steps.h"

struct model_since {
	int model;
	int since;
};

/* intel_pstate without HWP (the driver also wants APERF/MPERF). */
static const struct model_since listed[] = {
	{ 0x2a, KERNEL(3, 9) },	 /* Sandy Bridge */
	{ 0x2d, KERNEL(3, 9) },	 /* Sandy Bridge-E, -EP */
	{ 0x37, KERNEL(3, 13) }, /* Bay Trail */
	{ 0x3a, KERNEL(3, 10) }, /* Ivy Bridge */
	{ 0x3c, KERNEL(3, 11) }, /* Haswell */
	{ 0x3d, KERNEL(3, 15) }, /* Broadwell */
	{ 0x3e, KERNEL(3, 13) }, /* Ivy Bridge-EP, -EX */
	{ 0x3f, KERNEL(3, 11) }, /* Haswell-EP */
	{ 0x45, KERNEL(3, 11) }, /* Haswell-ULT */
	{ 0x46, KERNEL(3, 11) }, /* Haswell GT3e */
	{ 0x47, KERNEL(3, 17) }, /* Broadwell GT3e */
	{ 0x4c, KERNEL(3, 18) }, /* Cherry Trail */
	{ 0x4e, KERNEL(4, 0) },	 /* Skylake mobile */
	{ 0x4f, KERNEL(3, 18) }, /* Broadwell-EP */
	{ 0x5e, KERNEL(4, 1) },	 /* Skylake desktop */
	{ 0x56, KERNEL(3, 15) }, /* Broadwell-DE */
	{ 0x57, KERNEL(4, 2) },	 /* Knights Landing */
	{ 0x85, KERNEL(4, 14) }, /* Knights Mill */
	{ 0x5c, KERNEL(4, 9) },	 /* Apollo Lake */
	{ 0x7a, KERNEL(5, 3) },	 /* Gemini Lake */
	{ 0x55, KERNEL(4, 16) }, /* Skylake-SP and its successors */
	{ 0xa5, KERNEL(5, 14) }, /* Comet Lake desktop */
	{ 0x6a, KERNEL(5, 14) }, /* Ice Lake-SP */
	{ 0x8d, KERNEL(6, 1) },	 /* Tiger Lake-H */
	{ 0x8f, KERNEL(6, 2) },	 /* Sapphire Rapids */
	{ 0xcf, KERNEL(6, 10) }, /* Emerald Rapids */
};

/* Out-of-band control is looked for on these. */
static const struct model_since out_of_band[] = {
	{ 0x56, KERNEL(4, 6) },	 /* Broadwell-DE */
	{ 0x4f, KERNEL(4, 14) }, /* Broadwell-EP */
	{ 0x55, KERNEL(4, 14) }, /* Skylake-SP */
	{ 0x6a, KERNEL(5, 16) }, /* Ice Lake-SP */
	{ 0x8f, KERNEL(6, 0) },	 /* Sapphire Rapids */
	{ 0xcf, KERNEL(6, 9) },	 /* Emerald Rapids */
	{ 0xad, KERNEL(6, 12) }, /* Granite Rapids */
	{ 0xae, KERNEL(6, 12) }, /* Granite Rapids-D */
	{ 0xaf, KERNEL(6, 12) }, /* Sierra Forest */
	{ 0xb6, KERNEL(6, 12) }, /* Grand Ridge */
	{ 0xdd, KERNEL(6, 18) }, /* Clearwater Forest */
};

/* Family 6 parts with HWP. Broadwell-EP and -DE have an early form without EPP: not counted. */
static const int hwp_models[] = {
	0x4e, 0x5e, 0x55,			  /* Skylake */
	0x8e, 0x9e, 0xa5, 0xa6,			  /* Kaby, Coffee, Comet Lake */
	0x66, 0x6a, 0x6c, 0x7d, 0x7e, 0x9d,	  /* Cannon, Ice Lake */
	0x8c, 0x8d, 0xa7, 0x8a,			  /* Tiger, Rocket Lake, Lakefield */
	0x8f, 0xcf, 0xad, 0xae,			  /* Sapphire, Emerald, Granite Rapids */
	0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf,	  /* Alder, Raptor Lake */
	0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd, 0xcc, /* Meteor, Arrow, Lunar, Panther Lake */
	0xaf, 0xb6, 0xdd, /* Sierra Forest, Grand Ridge, Clearwater Forest */
	0x5c, 0x7a,	  /* Apollo, Gemini Lake */
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static bool on_list(const struct model_since *list, size_t nr, int family, int model, int kernel)
{
	if (family != 6)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (list[i].model == model)
			return kernel >= list[i].since;
	return false;
}

bool select_model_listed(int family, int model, int kernel)
{
	return on_list(listed, NR(listed), family, model, kernel ? kernel : KERNEL_NEWEST);
}

bool select_model_out_of_band(int family, int model, int kernel)
{
	return on_list(
		out_of_band, NR(out_of_band), family, model, kernel ? kernel : KERNEL_NEWEST);
}

bool select_model_has_hwp(int family, int model)
{
	for (size_t i = 0; family == 6 && i < NR(hwp_models); i++)
		if (hwp_models[i] == model)
			return true;
	return false;
}

/*
 * By family and model. Zen and Zen+ have none. Zen 2: Renoir, Lucienne, Van Gogh, Mendocino by MSR,
 * the others by shared memory. Zen 3: Vermeer and Milan by shared memory (Milan-X too), the APUs by
 * MSR. Zen 4 and later by MSR.
 */
enum amd_cppc select_amd_cppc(int family, int model)
{
	if (family == 0x17) {
		if (model < 0x30)
			return AMD_CPPC_NONE;
		if ((model >= 0x60 && model <= 0x6f) || (model >= 0x80 && model <= 0xaf))
			return AMD_CPPC_MSR;
		return AMD_CPPC_SHARED;
	}
	if (family == 0x19) {
		if ((model >= 0x10 && model <= 0x1f) || (model >= 0x40 && model <= 0xaf))
			return AMD_CPPC_MSR;
		return AMD_CPPC_SHARED;
	}
	return family >= 0x1a ? AMD_CPPC_MSR : AMD_CPPC_NONE;
}

bool select_profile_server(enum pm_profile profile)
{
	return profile == PROFILE_ENTERPRISE_SERVER || profile == PROFILE_PERFORMANCE_SERVER;
}
