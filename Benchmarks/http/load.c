/* A closed-loop load client: a fixed number of requests over a fixed number of connections, each answered before the
 * next goes out on its connection.
 *
 *     load PORT PID CONNECTIONS COUNT FIRST MODULO < REQUEST
 *
 * REQUEST is one whole request as it goes over the wire, in which
 *     @n  stands for the request's number, FIRST, FIRST+1, … FIRST+COUNT-1, and
 *     @h  for a number below MODULO that is scattered by @n (the same each time).
 * `Content-Length: @l` stands for the length of what follows the head, after the others have been put in.
 *
 * It prints one line: the seconds of CPU that the process PID used from the first request to the last answer (its POSIX
 * CPU clock, user and system, in nanoseconds), and the seconds on the wall clock. Connections are opened before, and
 * each has one request of its own answered before the clock starts. An answer other than 200 ends the run with 1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_BYTES = 1 << 16, ANSWER_BYTES = 1 << 20 };

struct connection {
    int socket;
    size_t have; /* bytes of the answer so far */
    char *answer; /* ANSWER_BYTES and a NUL */
};

static char template[REQUEST_BYTES];
static long next_number, last_number, modulo;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time)) fail("load: clock");
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Writes `text` with @n, @h and @l put in; returns its length. */
static size_t fill(char *out, const char *text, size_t count, long number, size_t length)
{
    uint64_t scattered = ((uint64_t)number * 0x9E3779B97F4A7C15u) >> 32;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (used + 32 > REQUEST_BYTES) fail("load: the request is too long");
        if (text[i] != '@' || i + 1 == count) {
            out[used++] = text[i];
            continue;
        }
        long value = 0;
        switch (text[++i]) {
        case 'n': value = number; break;
        case 'h': value = (long)(scattered % (uint64_t)modulo); break;
        case 'l': value = (long)length; break;
        default: fail("load: only @n, @h and @l stand for something");
        }
        used += (size_t)sprintf(out + used, "%ld", value);
    }
    return used;
}

static void send_all(int socket, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0) fail("load: send");
        bytes += sent;
        count -= (size_t)sent;
    }
}

static void send_next(struct connection *connection)
{
    static char head[REQUEST_BYTES], body[REQUEST_BYTES];
    static size_t head_template;
    if (!head_template) {
        char *end = strstr(template, "\r\n\r\n");
        if (!end) fail("load: a request without the end of its head");
        head_template = (size_t)(end + 4 - template);
    }
    long number = next_number++;
    size_t body_length = fill(body, template + head_template, strlen(template) - head_template, number, 0);
    size_t head_length = fill(head, template, head_template, number, body_length);
    if (head_length + body_length > REQUEST_BYTES) fail("load: the request is too long");
    memcpy(head + head_length, body, body_length);
    send_all(connection->socket, head, head_length + body_length);
}

/* Reads what there is; returns whether one whole answer has come. Answers are framed by Content-Length. */
static int receive(struct connection *connection)
{
    ssize_t count =
        recv(connection->socket, connection->answer + connection->have, ANSWER_BYTES - connection->have, 0);
    if (count < 0) fail("load: recv");
    if (count == 0) {
        fprintf(stderr, "load: the server closed a connection\n");
        exit(1);
    }
    connection->have += (size_t)count;
    connection->answer[connection->have] = 0;
    char *end = strstr(connection->answer, "\r\n\r\n");
    if (!end) return 0;
    char *length = strcasestr(connection->answer, "\r\ncontent-length:");
    if (!length || length > end) {
        fprintf(stderr, "load: an answer without Content-Length\n");
        exit(1);
    }
    size_t whole = (size_t)(end + 4 - connection->answer) + strtoul(length + 17, NULL, 10);
    if (whole > ANSWER_BYTES) fail("load: the answer is too long");
    if (connection->have < whole) return 0;
    if (connection->have > whole || strncmp(connection->answer, "HTTP/1.1 200 ", 13) != 0) {
        fprintf(stderr, "load: not one answer with status 200:\n%.*s\n", 2000, connection->answer);
        exit(1);
    }
    connection->have = 0;
    return 1;
}

static void open_connection(struct connection *connection, int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connection->answer = malloc(ANSWER_BYTES + 1);
    if (connection->socket < 0 || !connection->answer) fail("load: socket");
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address)) fail("load: connect");
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    static const char greeting[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    send_all(connection->socket, greeting, sizeof greeting - 1);
    while (!receive(connection)) {}
}

int main(int count, char **arguments)
{
    if (count != 7) {
        fprintf(stderr, "usage: load PORT PID CONNECTIONS COUNT FIRST MODULO < REQUEST\n");
        return 64;
    }
    int port = atoi(arguments[1]), connections = atoi(arguments[3]);
    long requests = atol(arguments[4]);
    next_number = atol(arguments[5]);
    last_number = next_number + requests;
    modulo = atol(arguments[6]);
    if (connections < 1 || requests < connections || modulo < 1) {
        fprintf(stderr, "load: at least one connection, as many requests, and a modulus of at least 1\n");
        return 64;
    }
    if (fread(template, 1, sizeof template - 1, stdin) == 0) fail("load: no request");
    clockid_t server;
    if (clock_getcpuclockid((pid_t)atoi(arguments[2]), &server)) fail("load: no such process");

    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (poll < 0) fail("load: epoll");
    struct connection *all = calloc((size_t)connections, sizeof *all);
    if (!all) fail("load: memory");
    for (int i = 0; i < connections; i++) {
        open_connection(&all[i], port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event)) fail("load: epoll");
    }

    double server_before = seconds(server), before = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < connections; i++) send_next(&all[i]);
    for (long answered = 0; answered < requests;) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, 10000);
        if (ready < 0) fail("load: epoll");
        if (ready == 0) {
            fprintf(stderr, "load: no answer for 10 s after %ld answers\n", answered);
            return 1;
        }
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!receive(connection)) continue;
            answered++;
            if (next_number < last_number) send_next(connection);
        }
    }
    printf("%.9f %.9f\n", seconds(server) - server_before, seconds(CLOCK_MONOTONIC) - before);
    return 0;
}
