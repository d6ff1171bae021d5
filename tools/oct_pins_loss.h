/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pins_loss.h - what is lost on how many pins, for every tracer with a cycle engine. */
#ifndef OCT_PINS_LOSS_H
#define OCT_PINS_LOSS_H

#include <jansson.h>

#include "oct_cli.h"
#include "oct_port_search.h"

typedef struct oct_pins_loss oct_pins_loss;

/* Of all tracers that take the trace, or of args' alone, which has args' parameters; the others
 * have their defaults. OCT_ERR_NOMEM, or errors of encoders. */
int oct_pins_loss_new(const oct_run_args *args, const oct_trace_info *info, bool is_alone,
                      oct_pins_loss **out, oct_diag *diag);
void oct_pins_loss_free(oct_pins_loss *s);
/* As oct_port_search_put, _end, _know, _run and _work, the tracer t known or told to its search. */
int oct_pins_loss_put(oct_pins_loss *s, const oct_tracer_input *in, oct_diag *diag);
void oct_pins_loss_end(oct_pins_loss *s);
void oct_pins_loss_know(oct_pins_loss *s, const oct_tracer *t, const oct_port_point *point,
                        const uint64_t *values);
int oct_pins_loss_run(oct_pins_loss *s, const oct_recording *r,
                      void (*moved)(void *context, double part), void *context, oct_diag *diag);
uint64_t oct_pins_loss_work(const oct_pins_loss *s);
/* What was found of tracer t is known to another search, too. */
void oct_pins_loss_tell(const oct_pins_loss *s, const oct_tracer *t, oct_port_search *to);
/* {tracer: [{pins, loss, lost_instructions}]}; the caller frees it. */
json_t *oct_pins_loss_json(const oct_pins_loss *s);

#endif
