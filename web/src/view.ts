/** What every kind of page takes and gives. */

export interface MountOptions {
    /** Whether the page's address keeps the state: in a page of its own, not in a notebook. */
    hasAddress: boolean;
}

export interface View {
    dispose(): void;
}
