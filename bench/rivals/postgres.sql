-- Rival P: the same payout as ordinary tables and one function call. Each call is one transaction: idempotency row,
-- both balances under row locks, two entries, payout row.

CREATE TABLE merchants (
  id integer PRIMARY KEY,
  public_key text NOT NULL UNIQUE,
  secret_sha256 bytea NOT NULL,
  balance bigint NOT NULL CHECK (balance >= 0)
) WITH (fillfactor = 50);

CREATE TABLE wallets (
  id integer PRIMARY KEY,
  tag text NOT NULL UNIQUE,
  balance bigint NOT NULL CHECK (balance >= 0)
) WITH (fillfactor = 70);

CREATE TABLE payouts (
  id uuid PRIMARY KEY,
  merchant_id integer NOT NULL,
  recipient text NOT NULL,
  amount bigint NOT NULL,
  reference text NOT NULL,
  note text NOT NULL,
  state text NOT NULL,
  failure_code text,
  transaction_id uuid,
  created_at timestamptz NOT NULL
);

CREATE TABLE entries (
  transaction_id uuid NOT NULL,
  side smallint NOT NULL,
  account_id integer NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  PRIMARY KEY (transaction_id, side)
);

CREATE TABLE idempotency (
  merchant_id integer NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (merchant_id, key)
);

-- Answers the body to send, or null for a key that stands for another request. `body_head` is the answer's JSON up to
-- the fields that are decided here. The merchant's row is locked before the wallet's, always in this order.
CREATE FUNCTION create_payout(
  of_merchant integer, with_key text, with_fingerprint bytea, payout_id uuid, new_transaction_id uuid,
  to_tag text, of_amount bigint, with_reference text, with_note text, at_time timestamptz, body_head text
) RETURNS TABLE (body text, replayed boolean) LANGUAGE plpgsql AS $$
DECLARE
  known idempotency%ROWTYPE;
  wallet_id integer;
  merchant_after bigint;
  wallet_after bigint;
  failure text;
  answer text;
BEGIN
  SELECT * INTO known FROM idempotency i WHERE i.merchant_id = of_merchant AND i.key = with_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN known.fingerprint = with_fingerprint THEN known.body END, true;
    RETURN;
  END IF;

  SELECT w.id INTO wallet_id FROM wallets w WHERE w.tag = to_tag;
  IF wallet_id IS NULL THEN
    failure := 'recipient_not_found';
  ELSE
    UPDATE merchants m SET balance = m.balance - of_amount WHERE m.id = of_merchant AND m.balance >= of_amount
      RETURNING m.balance INTO merchant_after;
    IF merchant_after IS NULL THEN
      failure := 'insufficient_balance';
    ELSE
      UPDATE wallets w SET balance = w.balance + of_amount WHERE w.id = wallet_id RETURNING w.balance INTO wallet_after;
      INSERT INTO entries VALUES
        (new_transaction_id, 0, of_merchant, -of_amount, merchant_after),
        (new_transaction_id, 1, wallet_id, of_amount, wallet_after);
    END IF;
  END IF;

  INSERT INTO payouts VALUES (
    payout_id, of_merchant, to_tag, of_amount, with_reference, with_note,
    CASE WHEN failure IS NULL THEN 'paid' ELSE 'failed' END, failure,
    CASE WHEN failure IS NULL THEN new_transaction_id END, at_time
  );
  answer := body_head || CASE
    WHEN failure IS NULL THEN '"state":"paid","transaction_id":"' || new_transaction_id || '"}'
    ELSE '"state":"failed","failure_code":"' || failure || '"}'
  END;
  INSERT INTO idempotency VALUES (of_merchant, with_key, with_fingerprint, answer);
  RETURN QUERY SELECT answer, false;
END
$$;

-- Micro-batching: a group of waiting payouts in one transaction, each with its own answer. Locks are taken first and in the order of
-- their ids, so that two groups cannot wait for each other.
CREATE FUNCTION create_payouts(
  of_merchants integer[], with_keys text[], with_fingerprints bytea[], payout_ids uuid[], new_transaction_ids uuid[],
  to_tags text[], of_amounts bigint[], with_references text[], with_notes text[], at_times timestamptz[], body_heads text[]
) RETURNS TABLE (body text, replayed boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM merchants m WHERE m.id = ANY (of_merchants) ORDER BY m.id FOR UPDATE;
  PERFORM 1 FROM wallets w WHERE w.tag = ANY (to_tags) ORDER BY w.id FOR UPDATE;
  FOR place IN 1 .. array_length(of_merchants, 1) LOOP
    RETURN QUERY SELECT * FROM create_payout(
      of_merchants[place], with_keys[place], with_fingerprints[place], payout_ids[place], new_transaction_ids[place],
      to_tags[place], of_amounts[place], with_references[place], with_notes[place], at_times[place], body_heads[place]
    );
  END LOOP;
END
$$;
