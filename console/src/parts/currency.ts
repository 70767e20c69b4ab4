// What the amounts of a form are counted in: the record's own currency where it has one, else the company's.
import { createContext } from 'react'

export const Currency = createContext<string | undefined>(undefined)
