<?php
$key = bin2hex(random_bytes(16));
$curl = curl_init(getenv('CAURI_URL') . '/v1/dashboard/account/logo');
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => [
        'Cookie: ' . getenv('SESSION_COOKIE'),
        'X-CSRF-Token: ' . getenv('CSRF_TOKEN'),
        'Idempotency-Key: ' . $key,
    ],
    CURLOPT_POSTFIELDS => ['file' => new CURLFile('logo.png')],
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($curl);
echo $answer, "\n";
if ($answer === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 300) {
    fwrite(STDERR, curl_error($curl) . " Idempotency-Key: $key\n");
}
