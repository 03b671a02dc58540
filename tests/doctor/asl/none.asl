// SPDX-License-Identifier: GPL-2.0-or-later
// Names of the objects that are looked for, and not one declaration of them.
// Made with: iasl -p ../../fuzz/corpus/acpi/none none.asl (and renamed without the suffix).
DefinitionBlock ("", "SSDT", 2, "CPACE", "NONE", 1)
{
	External (\_SB.CPU0._PSS, UnknownObj)
	External (\_SB.CPU0._PPC, MethodObj)
	Name (TEXT, "_PSS XPSS _PPC _PCT _PSD _CST _CPC PCCH PCCP _OSC")
	Name (REFS, Package () { \_SB.CPU0._PSS, "PCCH", Buffer () { 0x08, 0x58, 0x50, 0x53, 0x53, 0x00 } })
	OperationRegion (REGN, SystemIO, 0x70, 2)
	Field (REGN, ByteAcc, NoLock, Preserve) { PCCH, 8, PCCP, 8 }
	Method (TEST, 1)
	{
		Name (_PPC, 0)
		If (CondRefOf (\_SB.CPU0._PPC)) { Return (\_SB.CPU0._PSS) }
		Return (Package () { 1, 2, 3 })
	}
}
