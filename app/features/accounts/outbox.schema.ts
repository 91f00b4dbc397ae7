export const MAILS_PER_PAGE = 25
