export const MAILS_PER_PAGE = 25
export const REFUSED_PER_PAGE = 25
