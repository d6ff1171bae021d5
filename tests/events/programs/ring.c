/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c - a program to be recorded: four processes that pass a token round through pipes, as MPI
 * programs pass messages. */
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 4, ROUNDS = 25 };
static int pipes[RANKS][2];

__attribute__((noinline)) void send_token(int rank, int token) {
  if (write(pipes[(rank + 1) % RANKS][1], &token, sizeof token) != sizeof token) _exit(1);
}
__attribute__((noinline)) int receive_token(int rank) {
  int token = 0;
  if (read(pipes[rank][0], &token, sizeof token) != sizeof token) _exit(1);
  return token;
}
__attribute__((noinline)) int compute(int x) {
  __asm__ volatile("");
  return x + 1;
}
__attribute__((noinline)) void pass_rounds(int rank) {
  for (int i = 0; i < ROUNDS; i++) {
    if (rank == 0) send_token(rank, i);
    int token = compute(receive_token(rank));
    if (rank != 0) send_token(rank, token);
  }
}

int main(void) {
  int rank = 0, status = 0, all = 0;
  for (int i = 0; i < RANKS; i++)
    if (pipe(pipes[i])) return 1;
  for (int i = 1; i < RANKS && rank == 0; i++)
    if (!fork()) rank = i;
  pass_rounds(rank);
  while (rank == 0 && wait(&status) > 0) all |= status;
  return all != 0;
}
