<?php
// On your machine: php -S 127.0.0.1:3443 answer.php
const BILLS = ['01234567890' => ['number' => 'FAC-2026-11-0042', 'customer' => 'Awa Diallo', 'amount' => 12500]];

/** Whether Cauri signed these bytes within the last five minutes. */
function isSigned(string $body, string $header): bool
{
    $secret = (string) getenv('LOOKUP_SECRET');
    // With an empty key any caller can sign.
    if ($secret === '' || !preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $found)) {
        return false;
    }
    $expected = hash_hmac('sha256', "$found[1].$body", $secret);
    return hash_equals($expected, $found[2]) && abs(time() - (int) $found[1]) <= 300;
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
$fields = json_decode($body, true)['fields'] ?? null;
if (!is_array($fields)) {
    http_response_code(400);
    exit;
}
$number = $fields['numero'] ?? '';
$bill = is_string($number) ? BILLS[$number] ?? null : null;
header('Content-Type: application/json');
echo json_encode($bill === null
    ? ['ok' => false, 'reason' => 'Compteur inconnu.']
    : ['ok' => true, 'amount' => $bill['amount'], 'customer_name' => $bill['customer'], 'biller_ref' => $bill['number']]);
