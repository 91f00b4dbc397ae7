import { type FigureNoteInput, writeFigureNote } from './figure-note.ts'

/** How many people a figure is based on, and its average. */
export const FigureNote = (input: FigureNoteInput) => writeFigureNote(input)
