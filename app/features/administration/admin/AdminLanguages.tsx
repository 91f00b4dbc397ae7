import type { MouseEvent } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { LANGUAGE_QUERY } from '#app/shell/language.ts'

interface AdminLanguagesProps {
  label: string
  languages: readonly Language[]
  current: string
  pathname: string
  /** Whose account keeps the choice. */
  userId: string | undefined
}

/** Languages of the administration. A choice is kept with the account; pages of the site keep theirs. */
export function AdminLanguages({ label, languages, current, pathname, userId }: AdminLanguagesProps) {
  const choose = async (event: MouseEvent<HTMLAnchorElement>, locale: Language) => {
    if (!userId || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const { href } = event.currentTarget
    const isKept = await api.update('users', userId, { attributes: { locale } }).then(
      () => true,
      () => false,
    )
    // What cannot be kept, as on a site where the person is a guest, is shown in that language once.
    window.location.assign(isKept ? pathname : href)
  }
  return (
    <nav className="languages" aria-label={label}>
      <ul>
        {languages.map((language) => (
          <li key={language}>
            {language === current ? (
              <span lang={language} dir={getDirection(language)} aria-current="true">
                {getLanguageName(language)}
              </span>
            ) : (
              <a
                href={`${pathname}?${LANGUAGE_QUERY}=${language}`}
                lang={language}
                dir={getDirection(language)}
                hrefLang={language}
                onClick={(event) => void choose(event, language)}
              >
                {getLanguageName(language)}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
