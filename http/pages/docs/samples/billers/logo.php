<?php
$curl = curl_init(getenv('CAURI_URL') . '/v1/biz/biller/logo');
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => ['X-Api-Key: ' . getenv('CAURI_API_KEY'), 'X-Api-Secret: ' . getenv('CAURI_API_SECRET')],
    CURLOPT_POSTFIELDS => ['file' => new CURLFile('logo.png')],
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($curl), "\n";
