import { splitLanguage } from './languages.ts'

/** True for pages that other sites may show in a frame. */
export const isEmbedPath = (pathname: string): boolean => splitLanguage(pathname).path.startsWith('/embed/')
