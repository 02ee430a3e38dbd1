/* Runs a program under landlock: `landlock WORKSPACE PROGRAM…`. For docs/adr/0030, which weighs it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/landlock.h at ABI 7, which older headers lack. */
struct ruleset { uint64_t files, net, scoped; };
struct beneath { uint64_t allowed; int32_t parent; } __attribute__((packed));
#define ALL_FILES ((1ULL << 16) - 1)
#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_DIR (1ULL << 3)
#define TRUNCATE (1ULL << 14)
#define OF_A_FILE (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | (1ULL << 15))
#define BIND_AND_CONNECT_TCP 3ULL
#define ABSTRACT_SOCKETS_AND_SIGNALS 3ULL

static void die(const char *what) {
  fprintf(stderr, "landlock: %s: %s\n", what, strerror(errno));
  exit(125);
}

static void allow(int rules, const char *path, uint64_t rights) {
  int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return;
  struct stat found;
  if (fstat(parent, &found) == 0 && !S_ISDIR(found.st_mode)) rights &= OF_A_FILE;
  struct beneath rule = {.allowed = rights, .parent = parent};
  if (syscall(445, rules, 1, &rule, 0) != 0) die(path);
  close(parent);
}

int main(int count, char **given) {
  if (count < 3) die("a workspace and a program");
  long abi = syscall(444, NULL, 0, 1);
  if (abi < 6) die("this kernel has no landlock that scopes signals");
  struct ruleset all = {ALL_FILES, BIND_AND_CONNECT_TCP, ABSTRACT_SOCKETS_AND_SIGNALS};
  int rules = (int)syscall(444, &all, sizeof all, 0);
  if (rules < 0) die("no rules");
  const char *programs[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc"};
  for (size_t at = 0; at < sizeof programs / sizeof *programs; at++)
    allow(rules, programs[at], EXECUTE | READ_FILE | READ_DIR);
  const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  for (size_t at = 0; at < sizeof devices / sizeof *devices; at++)
    allow(rules, devices[at], READ_FILE | WRITE_FILE);
  allow(rules, given[1], ALL_FILES);
  syscall(436, 3U, ~0U, 4U); /* close_range: what is open ends with exec */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) die("no_new_privs");
  if (syscall(446, rules, 0) != 0) die("restrict");
  close(rules);
  execvp(given[2], given + 2);
  die(given[2]);
}
