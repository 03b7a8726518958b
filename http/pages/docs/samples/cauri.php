<?php
// Calls the Cauri API. PHP 8.1 or later with the extension curl.
final class CauriError extends RuntimeException
{
    public function __construct(public readonly int $status, public readonly array $body)
    {
        parent::__construct("$status {$body['code']}: {$body['message']}");
    }
}

const CAURI_ATTEMPTS = 5;

/** Returns the answer. All attempts of a POST have one Idempotency-Key. */
function cauri(string $method, string $path, array|object|null $body = null, ?string $key = null): ?array
{
    $headers = [
        'X-Api-Key: ' . getenv('CAURI_API_KEY'),
        'X-Api-Secret: ' . getenv('CAURI_API_SECRET'),
        'Content-Type: application/json',
    ];
    if ($method === 'POST') {
        $headers[] = 'Idempotency-Key: ' . ($key ?? bin2hex(random_bytes(16)));
    }
    for ($attempt = 1; ; $attempt++) {
        $retryAfter = null;
        $curl = curl_init((getenv('CAURI_URL') ?: 'http://127.0.0.1:8080') . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $found)) {
                    $retryAfter = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        if ($method !== 'GET') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR));
        }
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status >= 200 && $status < 300) {
            return json_decode($text ?: 'null', true);
        }
        $mayRetry = $text === false || $status === 429 || $status === 503;
        if (!$mayRetry || $attempt === CAURI_ATTEMPTS) {
            throw $text === false
                ? new RuntimeException(curl_error($curl))
                : new CauriError($status, json_decode($text, true));
        }
        sleep($retryAfter ?? 2 ** $attempt);
    }
}
