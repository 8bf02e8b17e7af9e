/* The limit: the least that a stream server on libevent's own evhttp does.
 *
 *     limit
 *
 * One thread on a free port of the loopback, which it prints. GET /changes is a chunked stream, POST /publish sends its
 * body to every stream as one chunk: a change feed with everything taken away that makes it one. Anything else gets an
 * empty 200. Ends on SIGTERM. */
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static struct evhttp_request **streams;
static size_t count, capacity;

static void gone(struct evhttp_connection *connection, void *stream)
{
    (void)connection;
    for (size_t i = 0; i < count; i++) {
        if (streams[i] == stream) {
            streams[i] = streams[--count];
            return;
        }
    }
}

static void subscribe(struct evhttp_request *request, void *unused)
{
    (void)unused;
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        streams = realloc(streams, capacity * sizeof *streams);
        if (!streams) abort();
    }
    streams[count++] = request;
    evhttp_connection_set_closecb(evhttp_request_get_connection(request), gone, request);

    struct evkeyvalq *fields = evhttp_request_get_output_headers(request);
    evhttp_add_header(fields, "Content-Type", "text/event-stream");
    evhttp_add_header(fields, "Cache-Control", "no-store");
    evhttp_send_reply_start(request, HTTP_OK, "OK");
    struct evbuffer *first = evbuffer_new();
    evbuffer_add_printf(first, "retry: 2000\n\n");
    evhttp_send_reply_chunk(request, first);
    evbuffer_free(first);
}

static void publish(struct evhttp_request *request, void *unused)
{
    (void)unused;
    struct evbuffer *body = evhttp_request_get_input_buffer(request), *chunk = evbuffer_new();
    size_t length = evbuffer_get_length(body);
    const unsigned char *bytes = evbuffer_pullup(body, -1);
    for (size_t i = 0; i < count; i++) {
        evbuffer_add(chunk, bytes, length);
        evhttp_send_reply_chunk(streams[i], chunk); /* which empties it */
    }
    evhttp_send_reply(request, HTTP_OK, "OK", chunk);
    evbuffer_free(chunk);
}

static void answer(struct evhttp_request *request, void *unused)
{
    (void)unused;
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

static void stop(evutil_socket_t signal, short what, void *base)
{
    (void)signal;
    (void)what;
    event_base_loopbreak(base);
}

int main(void)
{
    struct event_base *base = event_base_new();
    struct evhttp *http = evhttp_new(base);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct evconnlistener *listener =
        evconnlistener_new_bind(base, NULL, NULL, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 4096,
                                (struct sockaddr *)&address, sizeof address);
    if (!listener || !evhttp_bind_listener(http, listener)) {
        perror("limit: listen");
        return 1;
    }
    evhttp_set_cb(http, "/changes", subscribe, NULL);
    evhttp_set_cb(http, "/publish", publish, NULL);
    evhttp_set_gencb(http, answer, NULL);
    struct event *on_stop = evsignal_new(base, SIGTERM, stop, base);
    event_add(on_stop, NULL);
    signal(SIGPIPE, SIG_IGN);

    socklen_t length = sizeof address;
    getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &length);
    printf("limit listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    event_base_dispatch(base);
    return 0; /* the system frees the open streams */
}
