import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Java 17 or later. */
class Verify {
    /** Throws a SecurityException for a forged or old webhook. */
    static void verify(byte[] body, String header, String secret, long toleranceS) throws GeneralSecurityException {
        // With an empty key any caller can sign.
        if (secret == null || secret.isEmpty()) throw new SecurityException("no secret");
        if (header == null) throw new SecurityException("malformed signature");
        String time = "";
        for (String element : header.split(",")) {
            if (element.startsWith("t=")) time = element.substring(2);
        }
        if (!time.matches("[0-9]{1,12}")) throw new SecurityException("malformed signature");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
        boolean isKnown = false;
        for (String element : header.split(",")) {
            if (element.startsWith("v1=")) {
                isKnown |= MessageDigest.isEqual(element.substring(3).getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        if (!isKnown) throw new SecurityException("forged signature");
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > toleranceS) {
            throw new SecurityException("old signature");
        }
    }

    public static void main(String[] args) throws GeneralSecurityException {
        byte[] body = System.getenv("BODY").getBytes(StandardCharsets.UTF_8);
        verify(body, System.getenv("SIGNATURE"), System.getenv("CAURI_WEBHOOK_SECRET"), 300);
        System.out.println("valid");
    }
}
