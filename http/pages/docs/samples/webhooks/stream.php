<?php
$headers = [
    'X-Api-Key: ' . getenv('CAURI_API_KEY'),
    'X-Api-Secret: ' . getenv('CAURI_API_SECRET'),
    'Last-Event-ID: 0',
];
$options = stream_context_create(['http' => ['header' => $headers, 'protocol_version' => 1.1, 'follow_location' => 0]]);
$stream = fopen(getenv('CAURI_URL') . '/v1/biz/events/stream', 'r', false, $options) ?: throw new RuntimeException('no answer');
while (($line = fgets($stream)) !== false) {
    // Lines with `id:` hold what Last-Event-ID takes; a line `:` comes every five seconds.
    if (str_starts_with($line, 'data:')) {
        echo json_decode(substr($line, 5), true)['type'], "\n";
        break;
    }
}
