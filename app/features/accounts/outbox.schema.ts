export const MAILS_PER_PAGE = 25
export const ADDRESSES_PER_PAGE = 25
