import { Asset, HeadContent, useRouter, useTags } from '@tanstack/react-router'
import { needsWholeTree } from '#app/lib/editors-path.ts'
import { splitLanguage } from '#app/lib/languages.ts'
import { PAGE_SCRIPTS_ID } from './first-sight.ts'

type Tag = ReturnType<typeof useTags>[number]

/** True if the page shows its text and pictures before it loads scripts (`first-sight.ts`). */
function useLateScripts(): boolean {
  const { latestLocation } = useRouter()
  return !import.meta.env.DEV && !needsWholeTree(splitLanguage(latestLocation.pathname).path)
}

const isScriptPreload = (tag: Tag) => tag.tag === 'link' && tag.attrs?.['rel'] === 'modulepreload'

/** The head of a page. On participants' pages it asks for no scripts, which would compete with the first screen. */
export const DocumentHead = () => (useLateScripts() ? <HeadWithoutScripts /> : <HeadContent />)

function HeadWithoutScripts() {
  const nonce = useRouter().options.ssr?.nonce
  const tags = useTags().filter((tag) => !isScriptPreload(tag))
  return tags.map((tag) => <Asset {...tag} key={JSON.stringify(tag)} nonce={nonce} />)
}

/** The scripts of the page, for the first one to load later. */
export const LateScripts = () => (useLateScripts() ? <ScriptList /> : null)

function ScriptList() {
  const preloads = useTags().filter(isScriptPreload)
  const list = JSON.stringify(preloads.map((tag) => tag.attrs?.['href']))
  return <script type="application/json" id={PAGE_SCRIPTS_ID} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: list }} />
}
