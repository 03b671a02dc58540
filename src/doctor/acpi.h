/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ACPI tables say about processors' P-states and idle states: which objects are there, and
 * the constants in them. AML is read, not interpreted: an object that a method computes is known
 * to be there, its content is not. Sources: ACPI 6.5, sections 5.2 (tables), 8.4 (processors),
 * 20.2 (AML).
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum acpi_object {
	ACPI_PSS, /* P-states */
	ACPI_XPSS,
	ACPI_PPC,  /* the highest P-state that firmware allows */
	ACPI_PCT,  /* registers that set P-states */
	ACPI_PSD,  /* CPUs that share a P-state */
	ACPI_CST,  /* idle states */
	ACPI_CPC,  /* CPPC */
	ACPI_PCCH, /* the PCC mailbox */
	ACPI_PCCP,
	ACPI_OSC,
	ACPI_OBJECTS,
};

struct acpi_found {
	bool present, absent; /* neither: not known */
	unsigned count;	      /* places where it is defined */
	char path[64]; /* of the one nearest to the root, "\_SB.CPUS.C000._PSS"; or as told */
};

struct acpi_pstate {
	uint32_t mhz, mw, latency_us;
};

struct acpi_cstate {
	uint32_t type, latency_us, mw;
	uint32_t space; /* of its register: 1 system I/O, 0x7f fixed hardware (MWAIT, HLT) */
};

enum { ACPI_STATES_MAX = 64 };

struct acpi_tables {
	struct acpi_found object[ACPI_OBJECTS];
	unsigned nr_tables;  /* with AML */
	unsigned nr_damaged; /* tables whose AML ends in nonsense or too early */
	int pm_profile; /* FADT: 0 unspecified, 1 desktop, 2 mobile, 4 enterprise server ...; -1 */
	bool fadt_known;
	char oem_id[7], oem_table_id[9]; /* of the FADT, "HP" and "ProLiant" */

	/* Of the first processor that has constants; 0 states: not known. */
	int nr_pss, nr_cst;
	struct acpi_pstate pss[ACPI_STATES_MAX]; /* from the fastest */
	struct acpi_cstate cst[ACPI_STATES_MAX];
	int pct_space; /* of the control register, as above; -1 not known */
	int ppc;       /* constant _PPC, or -1 */
	int psd_type;  /* 0xfc: all CPUs decide, 0xfd: any, 0xfe: hardware; -1 */
	int psd_cpus;  /* CPUs in the domain, or -1 */
};

/* "_PSS", "PCCH". */
const char *acpi_object_name(enum acpi_object object);

/* Everything unknown. */
void acpi_init(struct acpi_tables *tables);

/* One table with its header, or several, one after the other. Nothing is too damaged. */
void acpi_take_tables(struct acpi_tables *tables, const uint8_t *bytes, size_t len);

/* All tables of a machine were taken: what is in none of them is absent, unless one is damaged. */
void acpi_all_taken(struct acpi_tables *tables);

/*
 * The content of a file: tables, an acpidump text, or lines of facts ("present NAME", "absent
 * NAME", "fadt_oem TEXT", "pm_profile N", "pss MHZ MW US", "cst TYPE US MW"). 0 or -EINVAL with
 * the line.
 */
int acpi_take_file(struct acpi_tables *tables, const char *text, size_t len, struct error *err);

/* ---- for acpi.c: objects of one table's AML ---------------------------------------------- */

/* False when the AML ends too early or holds what cannot be AML; what came before is taken. */
bool acpi_take_aml(struct acpi_tables *tables, const uint8_t *aml, size_t len);

/* Object of that name, ACPI_OBJECTS: none of ours. name has four characters. */
enum acpi_object acpi_object_of(const char *name);
