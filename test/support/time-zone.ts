/** Time zone of tests and of the servers that they start: 14 hours from UTC, so that no text in local time looks right. */
export const TEST_TIME_ZONE = 'Pacific/Kiritimati'
