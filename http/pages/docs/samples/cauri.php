<?php
// Calls the Cauri API. PHP 8.1 or later with the extension curl.

/** `key` is the Idempotency-Key. With the status 0 no whole answer came: what was asked may be done. Repeat it with its key. */
final class CauriError extends RuntimeException
{
    public function __construct(string $text, public readonly ?string $key, public readonly int $status = 0, public readonly array $body = [])
    {
        parent::__construct($text . ($key === null ? '' : " (Idempotency-Key: $key)"));
    }
}

const CAURI_ATTEMPTS = 5;
const CAURI_TIMEOUT_S = 30;
const CAURI_RETRY_AFTER_MAX_S = 60;
const CAURI_RETRIED = [429, 500, 502, 503, 504];

/** Returns the answer, as an array. All attempts of a POST have one Idempotency-Key. */
function cauri(string $method, string $path, array|object|null $body = null, ?string $key = null, array $headers = []): array
{
    $text = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    return cauriSend($method, $path, $text, ['Content-Type: application/json', ...$headers], $key, jsonObject(...));
}

/** Returns what `$read` makes of a whole, successful answer; `$read` returns null for an answer of another server. */
function cauriSend(string $method, string $path, string|array $body, array $headers, ?string $key, callable $read): mixed
{
    $url = (getenv('CAURI_URL') ?: 'http://127.0.0.1:8080') . $path;
    $headers = ['X-Api-Key: ' . getenv('CAURI_API_KEY'), 'X-Api-Secret: ' . getenv('CAURI_API_SECRET'), ...$headers];
    if ($method === 'POST') {
        $key ??= bin2hex(random_bytes(16));
        $headers[] = "Idempotency-Key: $key";
    }
    for ($attempt = 1; ; $attempt++) {
        $wait = 2 ** $attempt / 4;
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            // Another host would get the secret.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT => CAURI_TIMEOUT_S,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$wait): int {
                if (preg_match('/^retry-after: *(\d+)\s*$/i', $line, $found)) {
                    $wait = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        if ($method !== 'GET') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        }
        // False when the answer was lost, broken off or too late, also behind a good status.
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $isSuccess = $text !== false && $status >= 200 && $status < 300;
        $answer = $isSuccess ? $read($text) : null;
        if ($answer !== null) {
            return $answer;
        }
        $isUnknown = $text === false || $isSuccess;
        $mayRetry = $isUnknown || (in_array($status, CAURI_RETRIED, true) && $wait <= CAURI_RETRY_AFTER_MAX_S);
        if (!$mayRetry || $attempt === CAURI_ATTEMPTS) {
            throw $isUnknown
                ? new CauriError("no answer of the API from $url: " . (curl_error($curl) ?: 'no JSON object'), $key)
                : rejection($text, $status, $key, $url, curl_getinfo($curl, CURLINFO_REDIRECT_URL));
        }
        usleep((int) ($wait * 1_000_000));
    }
}

/** Returns the error of an answer that is no success; a proxy may have sent it. */
function rejection(string $text, int $status, ?string $key, string $url, string|false $location): CauriError
{
    if ($status < 400) {
        return new CauriError("$url redirects to $location: correct CAURI_URL", $key, $status);
    }
    $body = jsonObject($text) ?? [];
    $code = $body['code'] ?? 'without a code';
    return new CauriError("$status $code: " . ($body['message'] ?? ''), $key, $status, $body);
}

function jsonObject(string $text): ?array
{
    return is_object(json_decode($text)) ? json_decode($text, true) : null;
}
