# SPDX-License-Identifier: GPL-2.0-or-later
# A thin door: Meson builds, the scripts test.
BUILD ?= build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)
	@ln -sf src/cmd/corepace $(BUILD)/corepace

$(BUILD)/build.ninja:
	@meson setup $(BUILD) -Dwerror=true

.PHONY: all
