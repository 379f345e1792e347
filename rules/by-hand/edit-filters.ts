export { editFilters, type Filters, readFilters, takeFilter, writeFilters } from './filters.ts'
