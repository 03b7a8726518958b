<?php
$headers = [
    'Authorization: Bearer ' . getenv('ACCESS_TOKEN'),
    'Last-Event-ID: 0',
];
$options = stream_context_create(['http' => ['header' => $headers, 'protocol_version' => 1.1, 'follow_location' => 0]]);
$stream = fopen(getenv('CAURI_URL') . '/v1/me/events', 'r', false, $options) ?: throw new RuntimeException('no answer');
while (($line = fgets($stream)) !== false) {
    if (str_starts_with($line, 'data:')) {
        echo json_decode(substr($line, 5), true)['type'], "\n";
        break;
    }
}
