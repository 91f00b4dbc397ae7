import { useEffect, useRef, useState } from 'react'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { prepareBlocks } from './block-views.tsx'
import { buildDataKey, readDraftBlock } from './draft-blocks.ts'
import { type BlockData, type HomeBlock, type HomeBlockView, toBlockView } from './homepage.schema.ts'

const DEBOUNCE_MS = 60

/** Loads the data of unsaved blocks, by their ids. */
export type LoadDraftData = (input: { blocks: HomeBlock[]; featured: string[] }) => Promise<Record<string, BlockData>>

interface DraftInput {
  /** Raw blocks: from the server, or unsaved from the editor. */
  blocks: readonly object[]
  initial: { blocks: readonly HomeBlock[]; data: Record<string, BlockData> }
  load: LoadDraftData
  language: ContentLanguage
  locale: Language
  /** Called if a block cannot be shown, or its data cannot be loaded. */
  failed: (reason: 'not-shown' | 'data-failed', block: string | undefined, detail: string) => void
}

const listFeatured = (blocks: readonly HomeBlock[]) =>
  blocks.flatMap((block) => (block.type === 'featured_project' && block.projectId ? [block.projectId] : []))

/**
 * Views of a draft's blocks. Texts come straight from the draft. The server is asked only if a block needs other data, and until it answers
 * the block shows its old data.
 */
export function useDraftViews({ blocks, initial, load, language, locale, failed }: DraftInput): HomeBlockView[] {
  const [data, setData] = useState(() => {
    const featured = listFeatured(initial.blocks)
    return new Map(initial.blocks.map((block) => [buildDataKey(block, featured), initial.data[block.id] ?? null]))
  })
  const lastData = useRef(new Map<string, BlockData>(Object.entries(initial.data)))
  const lastGood = useRef(new Map<string, HomeBlock>())
  const views = useRef(new Map<string, { block: HomeBlock; data: BlockData; view: HomeBlockView }>())

  const problems: [string, string][] = []
  const drafts = blocks.flatMap((given) => {
    const read = readDraftBlock(given)
    if ('block' in read) {
      lastGood.current.set(read.block.id, read.block)
      return [read.block]
    }
    const id = 'id' in given && typeof given.id === 'string' ? given.id : ''
    problems.push([id, read.problem])
    return lastGood.current.get(id) ?? []
  })
  const featured = listFeatured(drafts)
  const unknown = drafts.filter((block) => !data.has(buildDataKey(block, featured)))
  const wanted = unknown.map((block) => buildDataKey(block, featured)).join('\n')
  const problem = problems.map((one) => one.join(': ')).join('\n')

  useEffect(() => {
    for (const [block, detail] of problems) failed('not-shown', block || undefined, detail.slice(0, 500))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- told once for each problem, however often the page is drawn
  }, [problem, failed])

  useEffect(() => {
    if (!wanted) return
    let isOver = false
    const loadData = async () => {
      try {
        const found = await load({ blocks: unknown, featured })
        if (!isOver)
          setData((now) => new Map([...now, ...unknown.map((block) => [buildDataKey(block, featured), found[block.id] ?? null] as const)]))
      } catch (error) {
        if (!isOver) failed('data-failed', undefined, error instanceof Error ? error.message : '')
      }
    }
    const timer = setTimeout(() => {
      void prepareBlocks(unknown)
      void loadData()
    }, DEBOUNCE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `wanted` names what is asked for
  }, [wanted, failed])

  return drafts.flatMap((block) => {
    const known = data.get(buildDataKey(block, featured))
    const found = known === undefined ? lastData.current.get(block.id) : known
    // A new block is hidden until its data arrives.
    if (found === undefined) return []
    lastData.current.set(block.id, found)
    const before = views.current.get(block.id)
    if (before?.block === block && before.data === found) return [before.view]
    const view = toBlockView(block, found, (text) => localiseText(text, language, locale))
    views.current.set(block.id, { block, data: found, view })
    return [view]
  })
}
