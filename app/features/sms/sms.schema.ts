export const MAX_SMS_LENGTH = 1600
