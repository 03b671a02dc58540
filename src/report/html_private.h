/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the HTML report share. */
#pragma once

#include "report/html.h"

struct html_collector;

struct html {
	struct samples samples;
	json_t *runs, *notes, *timelines, *note_index;
	char *timeline_note;
	struct {
		int group, config;
	} * places; /* of each run */
	size_t nr_places;
	int nr_collectors;
	struct html_collector **collectors;
};

/* html.c */
json_t *html_text(const char *text);

/* html_timeline.c */
json_t *html_collector_to_json(const struct html_collector *c);
void html_collector_free(struct html_collector *c);

/* html_page.c: the page around the data, which is JSON in ASCII. */
int html_page(const char *data, FILE *out, struct error *err);
