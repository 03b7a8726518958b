<?php
/** Returns the event of a webhook. Throws for a forged or old one. */
function verify(string $body, string $header, string $secret, int $toleranceS = 300): array
{
    // With an empty key any caller can sign.
    $secret !== '' || throw new InvalidArgumentException('no secret');
    preg_match('/^t=(\d{1,12}),/', $header, $time) || throw new InvalidArgumentException('malformed signature');
    preg_match_all('/,v1=([0-9a-f]{64})/', $header, $candidates);
    $expected = hash_hmac('sha256', "$time[1].$body", $secret);
    $matches = array_filter($candidates[1], fn (string $value): bool => hash_equals($expected, $value));
    if ($matches === []) {
        throw new InvalidArgumentException('forged signature');
    }
    if (abs(time() - (int) $time[1]) > $toleranceS) {
        throw new InvalidArgumentException('old signature');
    }
    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
}

// In a web server: file_get_contents('php://input') and $_SERVER['HTTP_X_SERVICE_SIGNATURE'].
echo verify(getenv('BODY'), getenv('SIGNATURE'), getenv('CAURI_WEBHOOK_SECRET'))['type'], "\n";
