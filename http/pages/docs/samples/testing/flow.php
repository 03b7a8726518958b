<?php
require_once 'cauri.php';

function expect(string $wanted, string $found): void
{
    if ($found !== $wanted) {
        throw new RuntimeException("$found instead of $wanted");
    }
}

// Each test makes its own wallet and reference, so that it depends on no other one.
$id = bin2hex(random_bytes(4));
$tag = cauri('POST', '/v1/biz/test/wallets', ['tag' => "client_$id"])['tag'];
cauri('POST', '/v1/biz/test/deposits', ['recipient' => $tag, 'amount' => 5000]);

$charge = cauri('POST', '/v1/biz/charges', ['amount' => 1500, 'reference' => "TEST-$id"]);
cauri('POST', "/v1/biz/test/charges/{$charge['token']}/pay", ['payer_tag' => $tag]);
expect('paid', cauri('GET', "/v1/biz/charges/{$charge['token']}")['state']);

$failed = cauri('POST', '/v1/biz/payouts', ['recipient' => "nobody_$id", 'amount' => 100]);
expect('recipient_not_found', $failed['failure_code']);
echo "passed\n";
