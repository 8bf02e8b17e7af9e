/* Subscribers and a publisher in step: each change is published when every subscriber has got the one before.
 *
 *     subscribers PORT PID SUBSCRIBERS CHANGES FIRST SUBSCRIBE PUBLISH
 *
 * SUBSCRIBE and PUBLISH name files that hold one whole request each, as it goes over the wire. In PUBLISH every @n stands
 * for the number of the change, FIRST, FIRST+1, … FIRST+CHANGES-1 (as many digits in each, or its Content-Length would not
 * hold). What it is answered with has a Content-Length.
 *
 * Every stream is read for what it is: chunks, in them events, each of `id`, `event` and one line of `data`. The ids of
 * `change` events must be FIRST, FIRST+1, … on every stream: each change once and in order, or the run ends with 1.
 *
 * It prints one line: the seconds of CPU that the process PID used from the first publishing to the last delivery (its
 * POSIX CPU clock, user and system, in nanoseconds), the seconds on the wall clock, and the resident KB of the process
 * before the streams were opened and when all of them were open and idle. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 16, LINE_BYTES = 64, WAIT_MILLISECONDS = 10000 };

struct stream {
    int socket;
    enum { HEAD, SIZE, DATA, DATA_END } part;
    int line_ends; /* in HEAD: how much of CR LF CR LF is there */
    long left;     /* in SIZE: the size so far; in DATA: what is left of the chunk */
    long id, last; /* the id of the event being read, and that of the last change */
    int is_change, has_data, has_begun;
    int line_length;
    char line[LINE_BYTES]; /* the beginning of the line being read */
};

static char bytes[1 << 18];
static long first_id, delivered;

static void fail(const char *what)
{
    fprintf(stderr, "subscribers: %s (%s)\n", what, strerror(errno));
    exit(1);
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time)) fail("clock");
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Resident memory in KB, counted by the pages (VmRSS lags behind in threads). */
static long resident(const char *pid)
{
    char path[64], line[256];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%s/smaps_rollup", pid);
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    while (fgets(line, sizeof line, file) && sscanf(line, "Rss: %ld kB", &kilobytes) != 1) {}
    fclose(file);
    return kilobytes;
}

static size_t slurp(char *text, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    size_t count = fread(text, 1, TEXT_BYTES - 1, file);
    fclose(file);
    text[count] = 0;
    return count;
}

static int dial(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, dialled = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (dialled < 0) fail("socket");
    if (connect(dialled, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(dialled, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return dialled;
}

static void send_all(int socket, const char *text, size_t count)
{
    if (send(socket, text, count, MSG_NOSIGNAL) != (ssize_t)count) fail("send");
}

/* A line of the event stream is over; the empty one ends an event. */
static void end_line(struct stream *stream)
{
    stream->line[stream->line_length < LINE_BYTES ? stream->line_length : LINE_BYTES - 1] = 0;
    if (stream->line_length == 0) {
        if (stream->is_change) {
            if (stream->has_data != 1 || stream->id != (stream->last ? stream->last + 1 : first_id)) {
                fprintf(stderr, "subscribers: change %ld (of %d lines of data) after %ld\n", stream->id,
                        stream->has_data, stream->last);
                exit(1);
            }
            stream->last = stream->id;
            delivered++;
        }
        stream->is_change = stream->has_data = 0;
        stream->id = -1;
        stream->has_begun = 1;
    } else if (!strncmp(stream->line, "id: ", 4)) {
        stream->id = atol(stream->line + 4);
    } else if (!strcmp(stream->line, "event: change")) {
        stream->is_change = 1;
    } else if (!strncmp(stream->line, "data: ", 6)) {
        stream->has_data++;
    }
    stream->line_length = 0;
}

static void read_event_bytes(struct stream *stream, const char *text, const char *end)
{
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        const char *rest = line_end ? line_end : end;
        for (const char *byte = text; byte < rest && stream->line_length < LINE_BYTES - 1; byte++) {
            stream->line[stream->line_length++] = *byte;
        }
        if (!line_end) return;
        end_line(stream);
        text = line_end + 1;
    }
}

/* Takes what came: the head, then chunks. */
static void take(struct stream *stream, const char *text, const char *end)
{
    static const char status[] = "HTTP/1.1 200 ";
    while (text < end) {
        switch (stream->part) {
        case HEAD:
            if (stream->line_length < (int)sizeof status - 1 && *text != status[stream->line_length++]) {
                fprintf(stderr, "subscribers: a stream was refused:\n%.*s\n", (int)(end - text), text);
                exit(1);
            }
            stream->line_ends = *text == "\r\n\r\n"[stream->line_ends] ? stream->line_ends + 1 : *text == '\r';
            if (stream->line_ends == 4) stream->part = SIZE, stream->line_length = 0;
            text++;
            break;
        case SIZE:
            if (*text == '\n') {
                if (stream->left == 0) fail("a stream has ended");
                stream->part = DATA;
            } else if (*text != '\r') {
                int digit = *text >= 'a' ? *text - 'a' + 10 : *text >= 'A' ? *text - 'A' + 10 : *text - '0';
                if (digit < 0 || digit > 15) fail("no size of a chunk");
                stream->left = stream->left * 16 + digit;
            }
            text++;
            break;
        case DATA: {
            const char *rest = end - text > stream->left ? text + stream->left : end;
            read_event_bytes(stream, text, rest);
            stream->left -= rest - text;
            text = rest;
            if (stream->left == 0) stream->part = DATA_END;
            break;
        }
        case DATA_END:
            if (*text == '\n') stream->part = SIZE;
            text++;
            break;
        }
    }
}

static void publish(int socket, const char *template, size_t count, long number)
{
    static char request[TEXT_BYTES];
    char digits[32];
    size_t width = (size_t)snprintf(digits, sizeof digits, "%ld", number), used = 0;
    for (size_t i = 0; i < count; i++) {
        if (used + sizeof digits > TEXT_BYTES) fail("the request is too long");
        if (template[i] == '@' && i + 1 < count && template[i + 1] == 'n') {
            memcpy(request + used, digits, width);
            used += width;
            i++;
        } else {
            request[used++] = template[i];
        }
    }
    send_all(socket, request, used);
}

/* Whether the answer to a publishing is whole, now that so many bytes more have come. */
static int is_answered(const char *text, size_t count)
{
    static char answer[TEXT_BYTES];
    static size_t have;
    if (have + count >= TEXT_BYTES) fail("the publisher's answer is too long");
    memcpy(answer + have, text, count);
    have += count;
    answer[have] = 0;
    char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\ncontent-length:");
    if (!end) return 0;
    if (strncmp(answer, "HTTP/1.1 200 ", 13) || !length || length > end) {
        fprintf(stderr, "subscribers: the publisher was answered:\n%s\n", answer);
        exit(1);
    }
    if (have < (size_t)(end + 4 - answer) + strtoul(length + 17, NULL, 10)) return 0;
    have = 0;
    return 1;
}

int main(int count, char **arguments)
{
    if (count != 8) {
        fprintf(stderr, "usage: subscribers PORT PID SUBSCRIBERS CHANGES FIRST SUBSCRIBE PUBLISH\n");
        return 64;
    }
    int port = atoi(arguments[1]);
    const char *pid = arguments[2];
    long subscribers = atol(arguments[3]), changes = atol(arguments[4]);
    first_id = atol(arguments[5]);
    static char subscribe_text[TEXT_BYTES], publish_text[TEXT_BYTES];
    size_t subscribe_length = slurp(subscribe_text, arguments[6]);
    size_t publish_length = slurp(publish_text, arguments[7]);
    if (subscribers < 1) return 64;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    clockid_t server;
    if (clock_getcpuclockid((pid_t)atoi(pid), &server)) fail("no such process");

    int poll = epoll_create1(EPOLL_CLOEXEC), publisher = dial(port);
    struct stream *all = calloc((size_t)subscribers, sizeof *all);
    if (poll < 0 || !all) fail("no memory");
    long before = resident(pid);
    for (long i = 0; i < subscribers; i++) {
        all[i].socket = dial(port);
        send_all(all[i].socket, subscribe_text, subscribe_length);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event)) fail("epoll");
    }
    struct epoll_event own = {.events = EPOLLIN};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, publisher, &own)) fail("epoll");

    /* First every stream has to begin with an event; then one change after the other is told to all. */
    long begun = 0, published = -1, answered = 0, open = 0;
    double cpu = 0, wall = 0;
    for (;;) {
        if (published < 0 && begun == subscribers) {
            open = resident(pid);
            published = 0;
            cpu = seconds(server);
            wall = seconds(CLOCK_MONOTONIC);
        }
        if (published >= 0 && delivered == published * subscribers && answered == published) {
            if (published == changes) break;
            publish(publisher, publish_text, publish_length, first_id + published++);
        }
        struct epoll_event events[1024];
        int ready = epoll_wait(poll, events, 1024, WAIT_MILLISECONDS);
        if (ready < 0) fail("epoll");
        if (ready == 0) {
            fprintf(stderr, "subscribers: nothing for 10 s; %ld of %ld streams begun, %ld deliveries of %ld changes\n",
                    begun, subscribers, delivered, published);
            return 1;
        }
        for (int i = 0; i < ready; i++) {
            struct stream *stream = events[i].data.ptr;
            ssize_t got = recv(stream ? stream->socket : publisher, bytes, sizeof bytes, MSG_DONTWAIT);
            if (got <= 0) fail("the server closed a connection");
            if (!stream) {
                answered += is_answered(bytes, (size_t)got);
                continue;
            }
            int had_begun = stream->has_begun;
            take(stream, bytes, bytes + got);
            begun += stream->has_begun - had_begun;
        }
    }
    printf("%.9f %.9f %ld %ld\n", seconds(server) - cpu, seconds(CLOCK_MONOTONIC) - wall, before, open);
    return 0;
}
