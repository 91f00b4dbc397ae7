import { shownPictures } from '#app/features/media/media.pictures.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Picture } from './block-fields.ts'
import { BLOCKS, type HomeBlock } from './homepage.schema.ts'

type Inner = Readonly<Record<string, unknown>>

/** Names of a block's pictures. */
const pictureNames = ({ type }: HomeBlock): string[] =>
  Object.entries(BLOCKS[type].fields).flatMap(([name, field]) => (field.kind === 'picture' ? [name] : []))

const pictureOf = (block: HomeBlock, name: string) => (block as unknown as Inner)[name] as Picture | null

/** Blocks with the pictures of the library in the version that pages show now. */
export async function withShownPictures(ctx: Ctx, blocks: readonly HomeBlock[]): Promise<HomeBlock[]> {
  const files = blocks.flatMap((block) => pictureNames(block).flatMap((name) => pictureOf(block, name)?.file ?? []))
  const shown = await shownPictures(ctx, files)
  if (!shown.size) return [...blocks]
  return blocks.map((block) => {
    const changed = pictureNames(block).flatMap((name) => {
      const picture = pictureOf(block, name)
      const file = picture && shown.get(picture.file)
      return picture && file ? [[name, { ...picture, file }] as const] : []
    })
    return changed.length ? { ...block, ...Object.fromEntries(changed) } : block
  })
}
