/*
 * Answers an agent's hook through the server of `hookline serve --hooks`, which spares the start of a runtime.
 *
 *   hookline-warm run --host HOST [--event EVENT]
 *
 * Whatever is not as it should be (no server, a slow one, one that is not the executable beside us, an answer that does not
 * read like one) ends in the cold executable beside us, with the same arguments and the same standard input: the verdict never
 * depends on who answers. docs/warm.md says what is exchanged and what is checked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <libproc.h>
#include <mach-o/dyld.h>
#endif

#ifndef VERSION
#error "the build says which version this is"
#endif

enum {
  largest_payload = 64 << 20, /* what the cold executable reads, too */
  largest_answer = 64 << 20,
  patience_ms = 5000, /* for standard input, as in src/app/run.ts */
  short_ms = 500,     /* behind what looks like a whole document */
  answer_ms = 1000,   /* a cold call takes a hundredth of it */
};

extern char **environ;

static char cold[4096];
static char **arguments;
static int argument_count;

static struct {
  char *bytes;
  size_t size, room;
} payload;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) {
      struct pollfd ready = {file, POLLOUT, 0};
      if (errno == EAGAIN && poll(&ready, 1, patience_ms) <= 0) return -1;
      continue;
    }
    if (written <= 0) return -1;
    bytes += written;
    size -= (size_t)written;
  }
  return 0;
}

/* Gives on what has been read, and then whatever still comes, for as long as somebody wants it. */
static _Noreturn void pass_on(int to) {
  char more[65536];
  signal(SIGPIPE, SIG_IGN);
  if (write_all(to, payload.bytes, payload.size) != 0) _exit(0);
  for (;;) {
    struct pollfd ready[2] = {{0, POLLIN, 0}, {to, 0, 0}};
    if (poll(ready, 2, -1) < 0 && errno != EINTR) _exit(0);
    if (ready[1].revents & (POLLERR | POLLHUP | POLLNVAL)) _exit(0);
    if (!ready[0].revents) continue;
    ssize_t count = read(0, more, sizeof more);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0 || write_all(to, more, (size_t)count) != 0) _exit(0);
  }
}

/* Starts the cold executable, which gets the same standard input. */
static _Noreturn void go_cold(int is_absent, int is_read) {
  int ends[2];
  signal(SIGPIPE, SIG_DFL);
  if (is_read) {
    /* A pipe may not hold all of it, so somebody has to go on writing when we are somebody else. */
    pid_t writer = pipe(ends) == 0 ? fork() : -1;
    if (writer == 0) {
      close(ends[0]);
      close(1);
      close(2);
      pass_on(ends[1]);
    }
    if (writer > 0) {
      close(ends[1]);
      dup2(ends[0], 0);
      close(ends[0]);
    } else {
      /* Without its input nothing can be judged: the executable finds none, and refuses. */
      close(0);
    }
  }
  char **list = calloc((size_t)argument_count + 3, sizeof *list);
  if (list) {
    int at = 0;
    list[at++] = cold;
    for (int each = 1; each < argument_count; each++) {
      list[at++] = arguments[each];
      /* Where there is no server, a cold call starts one for the next. */
      if (each == 1 && is_absent) list[at++] = "--warm";
    }
    execv(cold, list);
  }
  dprintf(2, "hookline-warm: %s cannot be started (%s)\n", cold, strerror(errno));
  _exit(2);
}

/* The executable beside us. */
static int find_cold(void) {
#ifdef __APPLE__
  char own[4096];
  uint32_t room = sizeof own;
  if (_NSGetExecutablePath(own, &room) != 0 || !realpath(own, cold)) return -1;
#else
  ssize_t length = readlink("/proc/self/exe", cold, sizeof cold - 1);
  if (length <= 0) return -1;
  cold[length] = 0;
#endif
  char *slash = strrchr(cold, '/');
  if (!slash || (size_t)(slash - cold) + sizeof "/hookline" > sizeof cold) return -1;
  strcpy(slash, "/hookline");
  return 0;
}

/* Reads standard input to its end, or until nothing has come for a while: a host may forget to close the pipe. */
static int read_payload(void) {
  for (;;) {
    char last = payload.size > 0 ? payload.bytes[payload.size - 1] : 0;
    char before = payload.size > 1 ? payload.bytes[payload.size - 2] : 0;
    int maybe_whole = last == '}' || (last == '\n' && before == '}');
    struct pollfd ready = {0, POLLIN, 0};
    int found = poll(&ready, 1, maybe_whole ? short_ms : patience_ms);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) return -1;
    /* Somebody who can read JSON has to say whether that was all. */
    if (found == 0) return -1;
    if (payload.room - payload.size < 65536) {
      size_t room = payload.room ? payload.room * 2 : 131072;
      char *bytes = room > largest_payload ? NULL : realloc(payload.bytes, room);
      if (!bytes) return -1;
      payload.bytes = bytes;
      payload.room = room;
    }
    ssize_t count = read(0, payload.bytes + payload.size, payload.room - payload.size);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return -1;
    if (count == 0) return 0;
    payload.size += (size_t)count;
  }
}

/* Where src/platform/places.ts says. */
static int socket_path(char *path, size_t room) {
  const char *state = getenv("XDG_STATE_HOME");
  if (!state || state[0] != '/') state = getenv("LOCALAPPDATA");
  const char *home = getenv("HOME");
  int length;
  /* Without a home the user's is looked up, and ours may not be the server's. */
  if (!home || home[0] != '/') return -1;
  if (state && state[0] == '/') length = snprintf(path, room, "%s/hookline/warm/hooks.sock", state);
  else length = snprintf(path, room, "%s/.local/state/hookline/warm/hooks.sock", home);
  return length < 0 || (size_t)length >= room ? -1 : 0;
}

/* The folder is ours alone, so nobody else can have put the socket there. */
static int is_ours(const char *path) {
  char folder[sizeof((struct sockaddr_un *)0)->sun_path];
  struct stat found;
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  if (lstat(folder, &found) != 0) return 0;
  return S_ISDIR(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

/* Who has bound the socket runs as us, and is the very executable that would answer otherwise. */
static int is_hookline(int server) {
  struct stat ours, theirs;
#ifdef __APPLE__
  uid_t user;
  gid_t group;
  pid_t process = 0;
  socklen_t size = sizeof process;
  char path[PROC_PIDPATHINFO_MAXSIZE];
  if (getpeereid(server, &user, &group) != 0 || user != geteuid()) return 0;
  if (getsockopt(server, SOL_LOCAL, LOCAL_PEERPID, &process, &size) != 0) return 0;
  if (proc_pidpath(process, path, sizeof path) <= 0) return 0;
#else
  struct ucred peer;
  socklen_t size = sizeof peer;
  char path[64];
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) return 0;
  snprintf(path, sizeof path, "/proc/%d/exe", (int)peer.pid);
#endif
  if (stat(path, &theirs) != 0 || stat(cold, &ours) != 0) return 0;
  return ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

#ifdef __linux__
static int is_same(const char *one, const char *other) {
  struct stat left, right;
  return stat(one, &left) == 0 && stat(other, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Whether the process was locked in, as sandboxes without privileges have to say (`NoNewPrivs`). */
static int is_confined(const char *status) {
  char text[8192];
  int file = open(status, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 1;
  text[length] = 0;
  const char *found = strstr(text, "\nNoNewPrivs:\t");
  return !found || found[13] != '0';
}
#endif

/* A server that was started in a sandbox sees other files than we do, and might judge by what it cannot see. */
static int sees_what_we_see(int server) {
#ifdef __linux__
  struct ucred peer;
  socklen_t size = sizeof peer;
  char path[64];
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 0;
  snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)peer.pid);
  if (!is_same(path, "/proc/self/ns/mnt")) return 0;
  snprintf(path, sizeof path, "/proc/%d/root", (int)peer.pid);
  if (!is_same(path, "/proc/self/root")) return 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)peer.pid);
  return !is_confined(path) || is_confined("/proc/self/status");
#else
  (void)server;
  return 1;
#endif
}

static int connect_to_server(int *is_absent) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  *is_absent = 0;
  if (socket_path(address.sun_path, sizeof address.sun_path) != 0) return -1;
  *is_absent = 1;
  if (!is_ours(address.sun_path)) return -1;
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (server < 0) return -1;
  fcntl(server, F_SETFD, FD_CLOEXEC);
  fcntl(server, F_SETFL, O_NONBLOCK);
  if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
    /* A full queue is no absence. */
    *is_absent = errno != EAGAIN;
    close(server);
    return -1;
  }
  if (!is_hookline(server) || !sees_what_we_see(server)) {
    close(server);
    return -1;
  }
  *is_absent = 0;
  return server;
}

/* Waits until the server can be read or written, not longer than until a moment. */
static int wait_for(int server, short what, long long until) {
  for (;;) {
    long long left = until - now_ms();
    struct pollfd ready = {server, what, 0};
    int found = left <= 0 ? 0 : poll(&ready, 1, (int)left);
    if (found < 0 && errno == EINTR) continue;
    return found > 0 ? 0 : -1;
  }
}

static int send_some(int server, const char *bytes, size_t size, long long until) {
  while (size > 0) {
    ssize_t sent = send(server, bytes, size, 0);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (wait_for(server, POLLOUT, until) != 0) return -1;
      continue;
    }
    if (sent <= 0) return -1;
    bytes += sent;
    size -= (size_t)sent;
  }
  return 0;
}

static int receive_some(int server, char *bytes, size_t size, long long until) {
  while (size > 0) {
    ssize_t count = recv(server, bytes, size, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (wait_for(server, POLLIN, until) != 0) return -1;
      continue;
    }
    if (count <= 0) return -1;
    bytes += count;
    size -= (size_t)count;
  }
  return 0;
}

static void put_number(char *bytes, uint32_t number) {
  for (int at = 0; at < 4; at++) bytes[at] = (char)(number >> (8 * at));
}

static uint32_t get_number(const char *bytes) {
  uint32_t number = 0;
  for (int at = 0; at < 4; at++) number |= (uint32_t)(unsigned char)bytes[at] << (8 * at);
  return number;
}

static size_t length_of(char **list, int count) {
  size_t length = 0;
  for (int at = 0; at < count; at++) length += strlen(list[at]) + 1;
  return length;
}

static char *put_list(char *to, char **list, int count) {
  for (int at = 0; at < count; at++) to = stpcpy(to, list[at]) + 1;
  return to;
}

/* Magic, four lengths, the time, the mask of new files, then version and arguments, environment, directory, payload. */
static int ask(int server, long long until) {
  char directory[4096];
  int variables = 0;
  if (!getcwd(directory, sizeof directory)) return -1;
  while (environ[variables]) variables++;
  char **given = arguments + 1;
  int given_count = argument_count - 1;
  size_t words = sizeof VERSION + length_of(given, given_count);
  size_t environment = length_of(environ, variables);
  size_t where = strlen(directory);
  if (words > 1 << 20 || environment > 8 << 20) return -1;
  size_t size = 32 + words + environment + where;
  struct timespec sent;
  clock_gettime(CLOCK_REALTIME, &sent);
  uint64_t moment = (uint64_t)sent.tv_sec * 1000 + (uint64_t)sent.tv_nsec / 1000000;
  char *head = malloc(size);
  if (!head) return -1;
  memcpy(head, "HKLN", 4);
  put_number(head + 4, (uint32_t)words);
  put_number(head + 8, (uint32_t)environment);
  put_number(head + 12, (uint32_t)where);
  put_number(head + 16, (uint32_t)payload.size);
  put_number(head + 20, (uint32_t)moment);
  put_number(head + 24, (uint32_t)(moment >> 32));
  mode_t mask = umask(077);
  umask(mask);
  put_number(head + 28, (uint32_t)mask);
  char *at = head + 32;
  memcpy(at, VERSION, sizeof VERSION);
  at = put_list(at + sizeof VERSION, given, given_count);
  at = put_list(at, environ, variables);
  memcpy(at, directory, where);
  return send_some(server, head, size, until) == 0 && send_some(server, payload.bytes, payload.size, until) == 0 ? 0 : -1;
}

int main(int argc, char **argv) {
  arguments = argv;
  argument_count = argc;
  if (find_cold() != 0) {
    dprintf(2, "hookline-warm: the executable beside it cannot be found\n");
    return 2;
  }
  struct stat out;
  if (argc < 2 || strcmp(argv[1], "run") != 0) go_cold(0, 0);
  /* An answer that would lead nowhere is the business of who can write that down. */
  if (fstat(1, &out) != 0 || S_ISCHR(out.st_mode) || fstat(0, &out) != 0) go_cold(0, 0);
  int is_absent;
  int server = connect_to_server(&is_absent);
  if (server < 0) go_cold(is_absent, 0);
  signal(SIGPIPE, SIG_IGN);
  if (read_payload() != 0) {
    close(server);
    go_cold(0, 1);
  }

  long long until = now_ms() + answer_ms;
  char head[20];
  if (ask(server, until) != 0 || receive_some(server, head, sizeof head, until) != 0) goto cold;
  /* Magic, `A` for an answer, exit code, `R` for a refusal, lengths of standard output, standard error and reason. */
  if (memcmp(head, "HKLN", 4) != 0 || head[4] != 'A') goto cold;
  uint32_t said = get_number(head + 8), complained = get_number(head + 12), reason = get_number(head + 16);
  unsigned char code = (unsigned char)head[5];
  if (said > largest_answer || complained > largest_answer || reason > largest_answer || code > 2) goto cold;
  size_t size = (size_t)said + complained + reason;
  char *answer = malloc(size + 1);
  if (!answer || receive_some(server, answer, size, until) != 0) goto cold;

  int is_given = write_all(1, answer, said) == 0;
  const char *why = errno == EPIPE ? "EPIPE" : errno == ENOSPC ? "ENOSPC" : "EIO";
  write_all(2, answer + said, complained);
  if (is_given) return code;
  /* The server writes that down, and a refusal is one by its exit code still. */
  send_some(server, why, strlen(why), now_ms() + answer_ms);
  if (head[6] != 'R') return code;
  write_all(2, answer + said + complained, reason);
  write_all(2, "\n", 1);
  return 2;

cold:
  close(server);
  go_cold(0, 1);
}
