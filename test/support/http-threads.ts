// HTTP threads of the servers that tests start.

/** Names the number of HTTP threads of each server of a test run; none when absent. */
export const TEST_HTTP_THREADS = 'CAURI_TEST_HTTP_THREADS'
