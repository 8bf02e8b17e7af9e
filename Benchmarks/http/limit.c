/* The limit: the least that an HTTP server on libevent's own evhttp does.
 *
 *     limit GET-BODY POST-BODY
 *
 * One thread on a free port of the loopback, which it prints. Every GET is answered by the bytes of the first file,
 * every POST of something that begins like a JSON object by those of the second: the work of a list service with
 * everything taken away that makes it one. Ends on SIGTERM. */
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
    char bytes[1 << 20];
    size_t count;
};

static struct body get_body, post_body;

static void read_body(struct body *body, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    body->count = fread(body->bytes, 1, sizeof body->bytes, file);
    fclose(file);
}

static void answer(struct evhttp_request *request, void *unused)
{
    (void)unused;
    const struct body *body = &get_body;
    if (evhttp_request_get_command(request) == EVHTTP_REQ_POST) {
        unsigned char *first = evbuffer_pullup(evhttp_request_get_input_buffer(request), -1);
        if (!first || *first != '{') {
            evhttp_send_error(request, HTTP_BADREQUEST, NULL);
            return;
        }
        body = &post_body;
    }
    struct evbuffer *out = evbuffer_new();
    evbuffer_add(out, body->bytes, body->count);
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "application/json");
    evhttp_send_reply(request, HTTP_OK, "OK", out);
    evbuffer_free(out);
}

static void stop(evutil_socket_t signal, short what, void *base)
{
    (void)signal;
    (void)what;
    event_base_loopbreak(base);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: limit GET-BODY POST-BODY\n");
        return 64;
    }
    read_body(&get_body, arguments[1]);
    read_body(&post_body, arguments[2]);

    struct event_base *base = event_base_new();
    struct evhttp *http = evhttp_new(base);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct evconnlistener *listener =
        evconnlistener_new_bind(base, NULL, NULL, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 1024,
                                (struct sockaddr *)&address, sizeof address);
    if (!listener || !evhttp_bind_listener(http, listener)) {
        perror("limit: listen");
        return 1;
    }
    evhttp_set_gencb(http, answer, NULL);
    struct event *on_stop = evsignal_new(base, SIGTERM, stop, base);
    event_add(on_stop, NULL);
    signal(SIGPIPE, SIG_IGN);

    socklen_t length = sizeof address;
    getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &length);
    printf("limit listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    event_base_dispatch(base);

    event_free(on_stop);
    evhttp_free(http); /* and with it the listener */
    event_base_free(base);
    return 0;
}
