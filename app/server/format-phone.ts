import { parsePhoneNumberFromString } from 'libphonenumber-js'

/** A number in international format. */
export const formatPhone = (phone: string): string => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
