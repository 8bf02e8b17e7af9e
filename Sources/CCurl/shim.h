// What WebSource needs of libcurl 7.87 or newer.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CCURL_SHIM_H
#define ROWCAST_CCURL_SHIM_H

#include <sys/select.h>

// The checks are macros around the variadic functions, which nothing here calls directly.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift imports no variadic functions: one inline for each type of argument.

static inline CURLcode rowcast_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rowcast_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rowcast_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rowcast_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rowcast_curl_set_blob(CURL *handle, CURLoption option, struct curl_blob *value) {
  return curl_easy_setopt(handle, option, value);
}

// Both the body's and the head's callback have this form.
typedef size_t (*rowcast_curl_data_callback)(char *data, size_t size, size_t count, void *user);

static inline CURLcode rowcast_curl_set_data_callback(
    CURL *handle, CURLoption option, rowcast_curl_data_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

static inline CURLMcode rowcast_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode rowcast_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode rowcast_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback callback) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode rowcast_curl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback callback) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

static inline CURLcode rowcast_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode rowcast_curl_get_pointer(CURL *handle, CURLINFO info, char **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode rowcast_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

// Of a finished transfer; the union of `CURLMsg` is not imported as one.
static inline CURLcode rowcast_curl_result(const CURLMsg *message) { return message->data.result; }

// Macros that hide casts or are no constants to Swift.
static inline const curl_version_info_data *rowcast_curl_version(void) {
  return curl_version_info(CURLVERSION_NOW);
}

static const curl_socket_t rowcast_curl_timeout_socket = CURL_SOCKET_TIMEOUT;

#endif
