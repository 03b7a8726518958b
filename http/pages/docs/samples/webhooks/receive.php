<?php
// On your machine: php -S 127.0.0.1:3000 receive.php

/** Whether Cauri signed these bytes within the last five minutes. */
function isSigned(string $body, string $header): bool
{
    $secret = (string) getenv('CAURI_WEBHOOK_SECRET');
    // With an empty key any caller can sign.
    if ($secret === '' || !preg_match('/^t=(\d{1,12}),/', $header, $time) || abs(time() - (int) $time[1]) > 300) {
        return false;
    }
    preg_match_all('/,v1=([0-9a-f]{64})/', $header, $candidates);
    $expected = hash_hmac('sha256', "$time[1].$body", $secret);
    return array_filter($candidates[1], fn (string $value): bool => hash_equals($expected, $value)) !== [];
}

const BODY_MAX = 2 * 1024 * 1024;

if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > BODY_MAX) {
    http_response_code(413);
    exit;
}
$body = file_get_contents('php://input', length: BODY_MAX);
if (!isSigned($body, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
if (!isset($event['type'])) {
    http_response_code(400);
    exit;
}
// Store the event with its id before you answer: an event may come twice.
error_log(($_SERVER['HTTP_X_SERVICE_EVENT_ID'] ?? '') . ' ' . $event['type']);
http_response_code(204);
