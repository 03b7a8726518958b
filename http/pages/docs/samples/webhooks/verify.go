package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Event is the body of a webhook.
type Event struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// Verify returns the event of a webhook, or an error for a forged or old one.
func Verify(body []byte, header, secret string, tolerance time.Duration) (*Event, error) {
	// With an empty key any caller can sign.
	if secret == "" {
		return nil, errors.New("no secret")
	}
	var signedAt string
	var candidates []string
	for _, element := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(element, "=")
		switch name {
		case "t":
			signedAt = value
		case "v1":
			candidates = append(candidates, value)
		}
	}
	seconds, err := strconv.ParseInt(signedAt, 10, 64)
	if err != nil {
		return nil, errors.New("malformed signature")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signedAt + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	isKnown := false
	for _, candidate := range candidates {
		isKnown = hmac.Equal([]byte(candidate), expected) || isKnown
	}
	if !isKnown {
		return nil, errors.New("forged signature")
	}
	if age := time.Since(time.Unix(seconds, 0)); age.Abs() > tolerance {
		return nil, errors.New("old signature")
	}
	var event Event
	return &event, json.Unmarshal(body, &event)
}

func main() {
	event, err := Verify([]byte(os.Getenv("BODY")), os.Getenv("SIGNATURE"), os.Getenv("CAURI_WEBHOOK_SECRET"), 5*time.Minute)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(event.Type)
}
