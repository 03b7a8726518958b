<?php
require_once 'cauri.php';

// Always the same boundary: a repeated request has the same bytes.
$boundary = 'cauri-logo-8d1f0a7c5b2e4936';
$form = "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"logo.png\"\r\n\r\n"
    . file_get_contents('logo.png') . "\r\n--$boundary--\r\n";
$type = "Content-Type: multipart/form-data; boundary=$boundary";
print_r(cauriSend('POST', '/v1/biz/biller/logo', $form, [$type], null, jsonObject(...)));
