/** Where a browser says that it shows another page without having asked for it by its address. */
export const SEEN_PATH = '/seen'
