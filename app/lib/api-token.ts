/** Where the browser finds the token for `x-api-token`: on the body of a signed-in person's page, else in session storage. */
export const API_TOKEN_ATTRIBUTE = 'data-api-token'
export const API_TOKEN_STORAGE_KEY = 'api-token'
