# SPDX-License-Identifier: GPL-2.0-or-later
# A thin door: Meson builds, the scripts install, test and show.
BUILD ?= build
PREFIX ?= /usr/local

all: $(BUILD)/build.ninja
	@ninja $(NINJA_FLAGS) -C $(BUILD)
	@ln -sf src/cmd/corepace $(BUILD)/corepace

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || \
		{ echo "meson is missing; scripts/install-deps brings what the build needs"; exit 1; }
	@meson setup $(BUILD) --prefix $(PREFIX) -Dwerror=true

demo:
	@scripts/install-deps demo
	@$(MAKE) --no-print-directory NINJA_FLAGS=--quiet all
	@scripts/demo $(BUILD)

check check-long:
	@scripts/install-deps $(if $(filter check-long,$@),long,check)
	@scripts/$@

bench:
	@scripts/install-deps bench
	@scripts/bench

install: all
	@meson install -C $(BUILD) --no-rebuild

clean:
	@rm -rf $(BUILD) build-asan build-fuzz build-bench

.PHONY: all demo check check-long bench install clean
