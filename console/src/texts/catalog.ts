// Texts of products, their variants and pictures, and of categories.
export const text = {
  variants: 'Variants',
  addVariant: 'Add variant',
  editVariant: (name: string) => `Edit ${name}`,
  variantActions: (name: string) => `Actions for ${name}`,
  nthVariant: (n: number) => `Variant ${n}`,
  removeVariant: (name: string) => `Remove ${name}`,
  cell: (column: string, name: string) => `${column} of ${name}`,
  options: 'Options',
  optionsHint: 'What customers choose from, such as sizes and colours. Each option is a column of the variants below.',
  addMissing: (count: number) =>
    count === 1 ? 'Add the missing variant' : `Add the ${count.toLocaleString()} missing variants`,
  sku: 'SKU',
  barcode: 'Barcode',
  salePrice: 'Sale price',
  onSale: 'On sale',
  unsavedVariant: 'Not saved yet',
  variantGone: 'This variant was deleted meanwhile.',
  changedSince: (now: string) => `Changed to ${now} meanwhile. Save again to overwrite.`,
  variantsRefused: 'Some variants were not saved. The reasons are beside them.',
  unreadableRows: 'Some prices are not numbers. Correct them first.',
  actions: 'Actions',
  duplicate: 'Duplicate',
  countStock: 'Count stock',
  price: 'Price',
  stock: 'Stock',
  stockAll: 'Total stock',
  notCounted: 'Not tracked',
  nowhere: 'Not stocked yet',
  moreOutlets: (count: number) => `and ${count} more`,
  showMore: 'Show more',
  productOrphans: 'Its variants and their stock are kept without a product. To delete them too, delete them first.',
  pricesComputed: 'Calculated from the variant prices. Edit those instead.',
  firstPicture: 'Shown first',
  otherHost: 'On another host: not loaded here',
  noPictures: 'No pictures',
  addPicture: 'Add',
  pictureUrl: 'Picture URL',
  picturePlaceholder: 'https://… or several, one per line',
  pictureUp: (n: number) => `Move picture ${n} up`,
  pictureDown: (n: number) => `Move picture ${n} down`,
  pictureRemove: (n: number) => `Remove picture ${n}`,

  categories: 'Categories',
  newCategory: 'New category',
  noCategories: 'No categories yet',
  noCategoriesHint: 'Categories group products. Create the first one here, through the API, or with an import.',
  findCategory: 'Find a category…',
  noneFits: 'No results',
  expandAll: 'Expand all',
  collapseAll: 'Collapse all',
  editCategory: 'Edit',
  addBelow: 'Add subcategory',
  belowOf: (name: string) => `In ${name}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveIn: 'Move into the one above',
  moveOut: 'Move up one level',
  moveTo: 'Move to…',
  moveToTitle: (name: string) => `Move ${name}`,
  moveToLabel: 'Parent category',
  moveToHint: 'Its subcategories move with it.',
  topLevel: 'Top level',
  move: 'Move',
  moved: (name: string, to: string | undefined) =>
    to === undefined ? `${name} was moved.` : `${name} is now in ${to}.`,
  movedTop: (name: string) => `${name} is now at the top level.`,
  notMoved: (name: string) => `${name} could not be moved.`,
  changedMeanwhile: (name: string) =>
    `${name} has changed since you loaded it. The tree shows its current place; move it again if you still want to.`,
  seeProducts: 'View its products',
  missingParent: 'Parent is missing',
  missingParentHint: (id: string) => `Its parent category ${id} does not exist. Move it to where it belongs.`,
  inCircle: 'Circular parents',
  inCircleHint: 'Its parent categories lead back to it. Move it to the top level or into another category.',
  problems: (count: number) =>
    count === 1
      ? 'One category is out of place: its parent is missing, or it is inside itself. It is marked; move it to where it belongs.'
      : `${count.toLocaleString()} categories are out of place: their parents are missing, or they are inside themselves. They are marked; move them to where they belong.`,
  keys: 'Arrow keys: navigate. Enter: edit. Alt + arrow keys: move. Delete: delete.',
  keysOfViewer: 'Arrow keys: navigate. Enter: open.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteBelow: (direct: number, all: number) =>
    all > direct
      ? `It contains ${all.toLocaleString()} categories, ${direct.toLocaleString()} of them directly.`
      : direct === 1
        ? 'It contains one category.'
        : `It contains ${direct.toLocaleString()} categories.`,
  deleteChoice: 'Subcategories',
  deleteLift: (to: string | undefined) => (to === undefined ? 'Move to the top level' : `Move up, into ${to}`),
  deleteAll: (count: number) => (count === 1 ? 'Delete it too' : `Delete all ${count.toLocaleString()} too`),
  deleteProducts: (count: number) =>
    count === 0
      ? 'No products are affected.'
      : count === 1
        ? 'One product is affected. It is kept, and keeps the id of the deleted category until it is edited.'
        : `${count.toLocaleString()} products are affected. They are kept, and keep the id of the deleted category until they are edited.`,
  deleteForGood: 'This cannot be undone.',
  deletedMany: (count: number) => `${count.toLocaleString()} categories were deleted.`,
} as const
