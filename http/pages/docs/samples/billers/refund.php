<?php
require_once 'cauri.php';

// The transaction_id of the event bill.paid.
$id = getenv('TRANSACTION_ID');
echo cauri('POST', "/v1/biz/bill-payments/$id/refund", null, "refund-$id")['state'], "\n";
