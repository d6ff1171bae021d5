/* SPDX-License-Identifier: Apache-2.0 */
/* oct_address_open.c - addresses from a file or folder of any kind. */
#include "oct_address_open.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/codec.h"
#include "oct_codec_cli.h"
#include "oct_peek.h"
#include "oct_registry.h"
#include "octrace/container.h"

static int open_trace(const char *path, const oct_address_options *options, oct_addresses *a,
                      oct_diag *diag) {
  oct_read_options read = options->read;
  read.otherwise = (uint64_t)oct_format_by_name(oct_the_format_roles.bare_addresses->name);
  return oct_addresses_of_trace(path, &read, options->kinds, a, diag);
}

/* Whether it is a folder of ATC, or OCT_ERR_NOMEM. */
static int is_atc(const char *path) {
  DIR *dir = opendir(path);
  struct dirent *entry;
  int is = 0;
  if (!dir) return errno == ENOMEM ? OCT_ERR_NOMEM : 0;
  while (!is && (entry = readdir(dir))) is = !strncmp(entry->d_name, "INFO", 4);
  closedir(dir);
  return is;
}

static int64_t read_atc(void *state, uint64_t *addrs, size_t n, oct_diag *diag) {
  oct_atc *atc = state;
  int64_t got = oct_atc_get(atc, addrs, n);
  if (got < 0) *diag = atc->diag;
  return got;
}

static void close_atc(void *state) {
  oct_atc_close(state);
  free(state);
}

static int open_atc(const char *path, const oct_address_options *options, oct_addresses *a,
                    oct_diag *diag) {
  (void)options;
  oct_atc *atc = calloc(1, sizeof *atc);
  if (!atc) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int error = oct_atc_open(atc, 'd', path, NULL, NULL);
  if (error) {
    *diag = atc->diag;
    close_atc(atc);
    return error;
  }
  *a = (oct_addresses){read_atc, close_atc, atc};
  return 0;
}

typedef struct container {
  oct_player player;
  oct_program *program;
  oct_decoded run;
} container;

static int container_next(void *state, oct_batch *batch, oct_diag *diag) {
  container *c = state;
  oct_gap gap;
  int got = oct_player_next(&c->player, &c->run, &gap, diag);
  *batch = c->run.batch;
  return got;
}

static void close_container(void *state) {
  container *c = state;
  oct_player_close(&c->player);
  oct_program_close(c->program);
  free(c);
}

static int open_container(const char *path, const oct_address_options *options, oct_addresses *a,
                          oct_diag *diag) {
  static const oct_replay_options strict = {.ends_at_damage = true};
  container *c = calloc(1, sizeof *c);
  if (!c) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int error = oct_cli_program(&options->read, &c->program, diag);
  if (!error)
    error = oct_player_open(&c->player, path, 0, options->read.map_max, c->program, &strict, diag);
  if (error < 0) {
    oct_program_close(c->program);
    free(c);
    return error;
  }
  const oct_batches batches = {container_next, close_container, c};
  error = oct_addresses_of_batches(&batches, options->kinds, a, diag);
  if (error) close_container(c);
  return error;
}

int oct_address_open(const char *path, const oct_address_options *options, oct_addresses *a,
                     oct_diag *diag) {
  FILE *file;
  int is_codec = oct_codec_open(&path, &file, diag);
  if (is_codec < 0) return is_codec;
  if (is_codec) return oct_address_codec(file, path, options, a, diag);
  char magic[OCT_CONTAINER_MAGIC_BYTES] = "";
  oct_peek(&path, magic, sizeof magic);
  if (!memcmp(magic, OCT_CONTAINER_MAGIC, sizeof OCT_CONTAINER_MAGIC - 1))
    return open_container(path, options, a, diag);
  int in_atc = is_atc(path);
  if (in_atc < 0) return oct_fail_in(diag, in_atc, path, "out of memory");
  return in_atc ? open_atc(path, options, a, diag) : open_trace(path, options, a, diag);
}
