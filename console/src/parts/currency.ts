// The currency of the amounts in a form: the record's own if it has one, else the company's.
import { createContext } from 'react'

export const Currency = createContext<string | undefined>(undefined)
