export const TablePage = () => null
