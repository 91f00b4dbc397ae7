import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Text } from '#app/ui/text.tsx'
import type { OutcomeView } from './outcomes.schema.ts'

/** What changed because of what people wrote, beside the figures of it; nothing if nothing was decided. @param title in the page's language */
export function OutcomeList({ title, outcomes = [] }: { title: string; outcomes?: readonly OutcomeView[] | undefined }) {
  if (outcomes.length === 0) return null
  return (
    <div className="outcomes">
      <p>
        <strong>{title}</strong>
      </p>
      <ul>
        {outcomes.map(({ title: decision, words, href }) => (
          <li key={href}>
            <a href={toLocalHref(href)}>
              <Text words={decision} />
            </a>
            <br />
            <span className="meta">{words}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
