/* SPDX-License-Identifier: Apache-2.0 */
/* oct_python.c - JSON through a script of ours, which draws with Debian's matplotlib. */
#include "oct_python.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "octrace/error.h"

/* Where the script is: in the source of this build, or installed. */
static void find_script(const char *name, char *path, size_t n) {
  snprintf(path, n, "%s/%s", OCT_SCRIPTS_BUILD, name);
  if (access(path, R_OK)) snprintf(path, n, "%s/%s", OCT_SCRIPTS, name);
}

/* Give what fd holds to out until its end. */
static int copy(int fd, oct_outfile *out, oct_diag *diag) {
  char bytes[65536];
  ssize_t n;
  while ((n = read(fd, bytes, sizeof bytes)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return oct_fail(diag, OCT_ERR_IO, "python3: %s", strerror(errno));
    int error = oct_outfile_write(out, bytes, (size_t)n, diag);
    if (error) return error;
  }
  return 0;
}

/* Debian's Python by its whole name: by a shorter one it would look for its modules beside another
 * Python that stands first in PATH, where there is no matplotlib. */
static void run_script(const char *script, const char *arg, int in, int out, int complaints) {
  dup2(complaints, STDERR_FILENO);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  execl("/usr/bin/python3", "/usr/bin/python3", script, arg, (char *)NULL);
  _exit(127);
}

/* The last line that the script wrote of what went wrong. */
static void last_line(FILE *complaints, char *line, size_t n) {
  char next[200];
  snprintf(line, n, "no message");
  rewind(complaints);
  while (fgets(next, sizeof next, complaints)) {
    next[strcspn(next, "\n")] = 0;
    if (next[0] && next[0] != ' ') snprintf(line, n, "%s", next);
  }
}

static int complain(int status, FILE *complaints, oct_diag *diag) {
  char line[200];
  last_line(complaints, line, sizeof line);
  if (strstr(line, "matplotlib") || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
    return oct_fail(diag, OCT_ERR_IO,
                    "/usr/bin/python3 cannot plot: install Debian's python3-matplotlib");
  return oct_fail(diag, OCT_ERR_IO, "/usr/bin/python3 could not plot: %.150s", line);
}

/* The child has a file to read from, so that neither waits for the other. */
static int pipe_through(const char *name, const char *arg, FILE *in, oct_outfile *out,
                        oct_diag *diag) {
  int pipe_fds[2], status = 0;
  char script[4096];
  FILE *complaints = tmpfile();
  if (!complaints) return oct_fail(diag, OCT_ERR_IO, "temporary file: %s", strerror(errno));
  find_script(name, script, sizeof script);
  /* A child that held the end which is read here would never hear that nobody reads any more. */
  if (pipe2(pipe_fds, O_CLOEXEC)) {
    fclose(complaints);
    return oct_fail(diag, OCT_ERR_IO, "python3: %s", strerror(errno));
  }
  pid_t child = fork();
  if (child == 0) run_script(script, arg, fileno(in), pipe_fds[1], fileno(complaints));
  close(pipe_fds[1]);
  int error = child < 0 ? oct_fail(diag, OCT_ERR_IO, "python3: %s", strerror(errno))
                        : copy(pipe_fds[0], out, diag);
  close(pipe_fds[0]);
  if (child > 0) waitpid(child, &status, 0);
  if (!error && (!WIFEXITED(status) || WEXITSTATUS(status)))
    error = complain(status, complaints, diag);
  fclose(complaints);
  return error;
}

int oct_python_run(const char *name, const char *arg, const json_t *value, const char *path,
                   oct_diag *diag) {
  oct_outfile *out;
  errno = 0;
  FILE *in = tmpfile();
  if (!in || json_dumpf(value, in, JSON_COMPACT) || fflush(in) || fseek(in, 0, SEEK_SET)) {
    int why = errno;
    if (in) fclose(in);
    return oct_fail(diag, OCT_ERR_IO, "temporary file: %s", why ? strerror(why) : "cannot write");
  }
  int error = oct_outfile_open(path, &out, diag);
  if (!error) {
    error = pipe_through(name, arg, in, out, diag);
    if (error)
      oct_outfile_abort(out);
    else
      error = oct_outfile_commit(out, diag);
  }
  fclose(in);
  return error;
}
