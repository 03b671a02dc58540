// SPDX-License-Identifier: GPL-2.0-or-later
// Every object that is looked for, each declared in another way, between what must be passed over.
// Made with: iasl -p ../../fuzz/corpus/acpi/all all.asl (and renamed without the suffix).
DefinitionBlock ("", "SSDT", 2, "CPACE", "ALL", 1)
{
	External (\_SB.CPUS.C000, DeviceObj)
	External (\_SB.FLAG, IntObj)
	OperationRegion (REGN, SystemIO, 0x70, 2)
	Field (REGN, ByteAcc, NoLock, Preserve) { INDX, 8, DATA, 8 }
	IndexField (INDX, DATA, ByteAcc, NoLock, Preserve) { Offset (16), ONE1, 8 }
	Mutex (MTX0, 1)
	Event (EVT0)
	Name (TEXT, "Name _PSS within a text")
	Name (BUFF, Buffer () { 0x08, 0x5f, 0x50, 0x44, 0x4c, 0x12, 0x10 })
	CreateDWordField (BUFF, 0, FLD0)
	Name (BIG, 0x123456789abcdef0)
	Scope (\_SB)
	{
		Name (PCCH, Package () { 0, 1 })
		Device (PCI0)
		{
			Name (_HID, EisaId ("PNP0A08"))
			Method (_OSC, 4) { Return (Arg3) }
		}
		Method (_OSC, 4) { Name (_CPC, Package () { 1 }) Return (Arg3) }
		PowerResource (PWR0, 0, 0) { Method (_STA) { Return (1) } Method (_ON) {} Method (_OFF) {} }
	}
	ThermalZone (\THRM) { Method (_TMP) { Return (3000) } }
	If (LAnd (\_SB.FLAG, LGreater (ToInteger (\_SB.FLAG), 0x5b)))
	{
		Scope (\_SB.CPUS.C000)
		{
			Alias (NPSS, _PSS)
			Name (NPSS, Package ()
			{
				Package () { 2801, 35000, 10, 10, 0x10, 0x10 },
				Package () { 1600, 15000, 10, 10, 0x15, 0x15 }
			})
			Method (_PPC) { Return (0) }
		}
	}
	Else
	{
		Scope (\_SB.CPUS.C000) { Name (XPSS, Package () { 1 }) }
	}
	Scope (\)
	{
		Processor (\CPU1, 1, 0x1010, 6)
		{
			Name (_PSS, Package ()
			{
				Package () { 2400, 26000, 11, 12, 0x12, 0x12 },
				Package () { 2000, 20000, 11, 12, 0x13, 0x13 },
				Package () { 800, 6000, 11, 12, 0x16, 0x16 }
			})
			Name (_PPC, 1)
			Name (_PCT, Package ()
			{
				ResourceTemplate () { Register (FFixedHW, 64, 0, 0x199) },
				ResourceTemplate () { Register (FFixedHW, 64, 0, 0x198) }
			})
			Name (_PSD, Package () { Package () { 5, 0, 3, 0xFD, 2 } })
			Name (_CST, Package ()
			{
				2,
				Package () { ResourceTemplate () { Register (FFixedHW, 1, 2, 0x00, 1) }, 1, 2, 1000 },
				Package () { ResourceTemplate () { Register (SystemIO, 8, 0, 0x1015) }, 3, 80, 200 }
			})
			Method (PCCP) { Return (Package () { 256, 16 }) }
		}
	}
	Name (\CPU1.LAST, Zero)
}
