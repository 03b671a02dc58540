// SPDX-License-Identifier: GPL-2.0-or-later
/* The page around the data: the files of page/ and chart.js, built in with their hashes. */
#include "report/html_private.h"
#include "report/report_page.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_CHARTJS

/* The licence asks for its text beside the code. */
static const char chartjs_licence[] = "<!-- This file holds Chart.js, (c) Chart.js Contributors, "
				      "and @kurkle/color, (c) Jukka Kurkela,\n"
				      "both under the MIT License: Permission is hereby granted, "
				      "free of charge, to any person obtaining a\n"
				      "copy of this software and associated documentation files "
				      "(the \"Software\"), to deal in the Software\n"
				      "without restriction, including without limitation the "
				      "rights to use, copy, modify, merge, publish,\n"
				      "distribute, sublicense, and/or sell copies of the Software, "
				      "and to permit persons to whom the Software\n"
				      "is furnished to do so, subject to the following conditions: "
				      "The above copyright notice and this\n"
				      "permission notice shall be included in all copies or "
				      "substantial portions of the Software. THE SOFTWARE\n"
				      "IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, "
				      "EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO\n"
				      "THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR "
				      "PURPOSE AND NONINFRINGEMENT. IN NO EVENT\n"
				      "SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY "
				      "CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN\n"
				      "AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT "
				      "OF OR IN CONNECTION WITH THE SOFTWARE OR\n"
				      "THE USE OR OTHER DEALINGS IN THE SOFTWARE. -->\n";

/* Nothing in the data may look like the end of its element, nor like a comment. */
static void put_data(const char *data, FILE *out)
{
	for (const char *p = data; *p;) {
		size_t n = strcspn(p, "<>&");

		fwrite(p, 1, n, out);
		p += n;
		if (*p)
			fprintf(out, "\\u%04x", (unsigned)(unsigned char)*p++);
	}
}

static void put_script(const unsigned char *bytes, size_t size, FILE *out)
{
	fputs("<script>", out);
	fwrite(bytes, 1, size, out);
	fputs("</script>\n", out);
}

int html_page(const char *data, FILE *out, struct error *err)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	fprintf(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src %s %s %s; style-src %s; base-uri 'none'; form-action 'none'\">\n",
		chartjs_hash, timeline_js_hash, report_js_hash, report_css_hash);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<title>corepace report</title>\n<style>",
		out);
	fwrite(report_css_bytes, 1, sizeof(report_css_bytes), out);
	fputs("</style>\n</head>\n<body>\n", out);
	fwrite(body_bytes, 1, sizeof(body_bytes), out);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	put_data(data, out);
	fputs("</script>\n", out);
	fputs(chartjs_licence, out);
	put_script(chartjs_bytes, sizeof(chartjs_bytes), out);
	put_script(timeline_js_bytes, sizeof(timeline_js_bytes), out);
	put_script(report_js_bytes, sizeof(report_js_bytes), out);
	fputs("</body>\n</html>\n", out);
	if (fflush(out) || ferror(out))
		return error_set(err, EIO, "writing the report: %s", strerror(errno ? errno : EIO));
	return 0;
}

#else

int html_page(const char *data, FILE *out, struct error *err)
{
	return error_set(err, ENOTSUP,
		"this corepace was built without chart.js (libjs-chart.js), which reports need");
}

#endif
