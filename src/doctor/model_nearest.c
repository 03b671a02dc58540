// SPDX-License-Identifier: GPL-2.0-or-later
/* Which machine model is nearest: the same processor, else its kind and its size. */
#include "doctor/model.h"

#include <stdlib.h>
#include <string.h>

/* A step is a factor of two between the numbers. */
static int steps(int a, int b)
{
	int nr = 0;

	for (; a > b && nr < 10; nr++)
		b *= 2;
	for (; b > a && nr < 10; nr++)
		a *= 2;
	return nr;
}

/* Some models have no platform section: then their description tells. */
static bool same_vendor(const struct select_facts *f, const struct machine *m)
{
	if (m->platform.family)
		return m->platform.vendor == f->vendor;
	return strstr(m->description, f->vendor == VENDOR_AMD ? "AMD" : "Intel") != NULL;
}

int model_distance(const struct model *model, const struct machine *m)
{
	const struct select_facts *f = &model->facts->machine;
	int distance = 10 * steps(model->cores, m->nr_cores / m->nr_packages) +
		       10 * steps(model->packages, m->nr_packages);

	if (model->guest != (m->freq_domain == FREQ_DOMAIN_NONE))
		distance += 1000;
	if (f->vendor_known && !same_vendor(f, m))
		distance += 300;
	if ((int)m->platform.family != f->family)
		distance += 50;
	if ((int)m->platform.family == f->family && (int)m->platform.model == f->model)
		distance -= 40;
	if (model->hwp != m->hwp.present)
		distance += 30;
	/* Of two, the one without a GPU is of a more general kind. */
	for (int i = 0; i < m->nr_devices; i++)
		distance += 5 * (m->devices[i].kind == DEVICE_GPU);
	return distance < 0 ? 0 : distance;
}
