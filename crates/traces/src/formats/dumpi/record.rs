//! The records of a DUMPI file: the fields of each call.
//!
//! ```text
//!   b h i q   1, 2, 4 and 8 bytes          I H B   an array of these: its length (i), then its elements
//!   s         statuses, if recorded        C S     characters, and an array of such: their number (i), then they
//!   J         an array of I                ( )     at the root only: where the first field is equal to the root
//!   !         not replayed
//! ```

use crate::error::{Problem, problem};

/// The name and the fields of each call, by number (sst-dumpi, `dumpi/common/funclabels.h` and `dumpiio.c`).
pub(super) const CALLS: [(&str, &str); 290] = [
    ("MPI_Send", "ihiih"),
    ("MPI_Recv", "ihiihs"),
    ("MPI_Get_count", "shi"),
    ("MPI_Bsend", "ihiih"),
    ("MPI_Ssend", "ihiih"),
    ("MPI_Rsend", "ihiih"),
    ("MPI_Buffer_attach", "i"),
    ("MPI_Buffer_detach", "i"),
    ("MPI_Isend", "ihiihi"),
    ("MPI_Ibsend", "ihiihi"),
    ("MPI_Issend", "ihiihi"),
    ("MPI_Irsend", "ihiihi"),
    ("MPI_Irecv", "ihiihi"),
    ("MPI_Wait", "is"),
    ("MPI_Test", "iis"),
    ("MPI_Request_free", "i"),
    ("MPI_Waitany", "iIis"),
    ("MPI_Testany", "iIiis"),
    ("MPI_Waitall", "iIs"),
    ("MPI_Testall", "iIis"),
    ("MPI_Waitsome", "iIiIs"),
    ("MPI_Testsome", "iIiIs"),
    ("MPI_Iprobe", "iihis"),
    ("MPI_Probe", "iihs"),
    ("MPI_Cancel", "i"),
    ("MPI_Test_cancelled", "si"),
    ("MPI_Send_init", "ihiihi"),
    ("MPI_Bsend_init", "ihiihi"),
    ("MPI_Ssend_init", "ihiihi"),
    ("MPI_Rsend_init", "ihiihi"),
    ("MPI_Recv_init", "ihiihi"),
    ("MPI_Start", "i"),
    ("MPI_Startall", "iI"),
    ("MPI_Sendrecv", "ihiiihiihs"),
    ("MPI_Sendrecv_replace", "ihiiiihs"),
    ("MPI_Type_contiguous", "ihh"),
    ("MPI_Type_vector", "iiihh"),
    ("MPI_Type_hvector", "iiihh"),
    ("MPI_Type_indexed", "iIIhh"),
    ("MPI_Type_hindexed", "iIIhh"),
    ("MPI_Type_struct", "iIIHh"),
    ("MPI_Address", "i"),
    ("MPI_Type_extent", "hi"),
    ("MPI_Type_size", "hi"),
    ("MPI_Type_lb", "hi"),
    ("MPI_Type_ub", "hi"),
    ("MPI_Type_commit", "h"),
    ("MPI_Type_free", "h"),
    ("MPI_Get_elements", "shi"),
    ("MPI_Pack", "ihiiih"),
    ("MPI_Unpack", "iiiihh"),
    ("MPI_Pack_size", "ihhi"),
    ("MPI_Barrier", "h"),
    ("MPI_Bcast", "ihih"),
    ("MPI_Gather", "iihih(ih)"),
    ("MPI_Gatherv", "iiihih(II)h"),
    ("MPI_Scatter", "iihih(ih)"),
    ("MPI_Scatterv", "iihihih(II)"),
    ("MPI_Allgather", "ihihh"),
    ("MPI_Allgatherv", "iihIIhh"),
    ("MPI_Alltoall", "ihihh"),
    ("MPI_Alltoallv", "iIIhIIhh"),
    ("MPI_Reduce", "ihbih"),
    ("MPI_Op_create", "ib"),
    ("MPI_Op_free", "b"),
    ("MPI_Allreduce", "ihbh"),
    ("MPI_Reduce_scatter", "iIhbh"),
    ("MPI_Scan", "ihbh"),
    ("MPI_Group_size", "hi"),
    ("MPI_Group_rank", "hi"),
    ("MPI_Group_translate_ranks", "hiIhI"),
    ("MPI_Group_compare", "hhb"),
    ("MPI_Comm_group", "hh"),
    ("MPI_Group_union", "hhh"),
    ("MPI_Group_intersection", "hhh"),
    ("MPI_Group_difference", "hhh"),
    ("MPI_Group_incl", "hiIh"),
    ("MPI_Group_excl", "hiIh"),
    ("MPI_Group_range_incl", "hiJh"),
    ("MPI_Group_range_excl", "hiJh"),
    ("MPI_Group_free", "h"),
    ("MPI_Comm_size", "hi"),
    ("MPI_Comm_rank", "hi"),
    ("MPI_Comm_compare", "hhb"),
    ("MPI_Comm_dup", "hh"),
    ("MPI_Comm_create", "hhh"),
    ("MPI_Comm_split", "hiih"),
    ("MPI_Comm_free", "h"),
    ("MPI_Comm_test_inter", "hi"),
    ("MPI_Comm_remote_size", "!"),
    ("MPI_Comm_remote_group", "!"),
    ("MPI_Intercomm_create", "!"),
    ("MPI_Intercomm_merge", "!"),
    ("MPI_Keyval_create", "h"),
    ("MPI_Keyval_free", "h"),
    ("MPI_Attr_put", "hi"),
    ("MPI_Attr_get", "hii"),
    ("MPI_Attr_delete", "hi"),
    ("MPI_Topo_test", "hb"),
    ("MPI_Cart_create", "hiIIih"),
    ("MPI_Dims_create", "iiII"),
    ("MPI_Graph_create", "!"),
    ("MPI_Graphdims_get", "hii"),
    ("MPI_Graph_get", "iihiiII"),
    ("MPI_Cartdim_get", "hi"),
    ("MPI_Cart_get", "ihiIII"),
    ("MPI_Cart_rank", "ihIi"),
    ("MPI_Cart_coords", "ihiiI"),
    ("MPI_Graph_neighbors_count", "hii"),
    ("MPI_Graph_neighbors", "ihiiI"),
    ("MPI_Cart_shift", "hiiii"),
    ("MPI_Cart_sub", "ihIh"),
    ("MPI_Cart_map", "hiIIi"),
    ("MPI_Graph_map", "ihiIIi"),
    ("MPI_Get_processor_name", "Ci"),
    ("MPI_Get_version", "ii"),
    ("MPI_Errhandler_create", "h"),
    ("MPI_Errhandler_set", "hh"),
    ("MPI_Errhandler_get", "hh"),
    ("MPI_Errhandler_free", "h"),
    ("MPI_Error_string", "iCi"),
    ("MPI_Error_class", "ii"),
    ("MPI_Wtime", ""),
    ("MPI_Wtick", ""),
    ("MPI_Init", "S"),
    ("MPI_Finalize", ""),
    ("MPI_Initialized", "i"),
    ("MPI_Abort", "hi"),
    ("MPI_Pcontrol", "!"),
    ("MPI_Close_port", "!"),
    ("MPI_Comm_accept", "!"),
    ("MPI_Comm_connect", "!"),
    ("MPI_Comm_disconnect", "!"),
    ("MPI_Comm_get_parent", "!"),
    ("MPI_Comm_join", "!"),
    ("MPI_Comm_spawn", "!"),
    ("MPI_Comm_spawn_multiple", "!"),
    ("MPI_Lookup_name", "!"),
    ("MPI_Open_port", "!"),
    ("MPI_Publish_name", "!"),
    ("MPI_Unpublish_name", "!"),
    ("MPI_Accumulate", "!"),
    ("MPI_Get", "!"),
    ("MPI_Put", "!"),
    ("MPI_Win_complete", "!"),
    ("MPI_Win_create", "!"),
    ("MPI_Win_fence", "!"),
    ("MPI_Win_free", "!"),
    ("MPI_Win_get_group", "!"),
    ("MPI_Win_lock", "!"),
    ("MPI_Win_post", "!"),
    ("MPI_Win_start", "!"),
    ("MPI_Win_test", "!"),
    ("MPI_Win_unlock", "!"),
    ("MPI_Win_wait", "!"),
    ("MPI_Alltoallw", "iIIHIIHh"),
    ("MPI_Exscan", "ihbh"),
    ("MPI_Add_error_class", "i"),
    ("MPI_Add_error_code", "ii"),
    ("MPI_Add_error_string", "iC"),
    ("MPI_Comm_call_errhandler", "hi"),
    ("MPI_Comm_create_keyval", "h"),
    ("MPI_Comm_delete_attr", "hh"),
    ("MPI_Comm_free_keyval", "h"),
    ("MPI_Comm_get_attr", "hhi"),
    ("MPI_Comm_get_name", "hCi"),
    ("MPI_Comm_set_attr", "hh"),
    ("MPI_Comm_set_name", "hC"),
    ("MPI_File_call_errhandler", "!"),
    ("MPI_Grequest_complete", "!"),
    ("MPI_Grequest_start", "!"),
    ("MPI_Init_thread", "Sbb"),
    ("MPI_Is_thread_main", "i"),
    ("MPI_Query_thread", "b"),
    ("MPI_Status_set_cancelled", "si"),
    ("MPI_Status_set_elements", "shi"),
    ("MPI_Type_create_keyval", "h"),
    ("MPI_Type_delete_attr", "hh"),
    ("MPI_Type_dup", "hh"),
    ("MPI_Type_free_keyval", "h"),
    ("MPI_Type_get_attr", "hhi"),
    ("MPI_Type_get_contents", "iiihiiiIIH"),
    ("MPI_Type_get_envelope", "hiiib"),
    ("MPI_Type_get_name", "hCi"),
    ("MPI_Type_set_attr", "hh"),
    ("MPI_Type_set_name", "hC"),
    ("MPI_Type_match_size", "bih"),
    ("MPI_Win_call_errhandler", "!"),
    ("MPI_Win_create_keyval", "!"),
    ("MPI_Win_delete_attr", "!"),
    ("MPI_Win_free_keyval", "!"),
    ("MPI_Win_get_attr", "!"),
    ("MPI_Win_get_name", "!"),
    ("MPI_Win_set_attr", "!"),
    ("MPI_Win_set_name", "!"),
    ("MPI_Alloc_mem", "ih"),
    ("MPI_Comm_create_errhandler", "h"),
    ("MPI_Comm_get_errhandler", "hh"),
    ("MPI_Comm_set_errhandler", "hh"),
    ("MPI_File_create_errhandler", "!"),
    ("MPI_File_get_errhandler", "!"),
    ("MPI_File_set_errhandler", "!"),
    ("MPI_Finalized", "i"),
    ("MPI_Free_mem", ""),
    ("MPI_Get_address", "i"),
    ("MPI_Info_create", "h"),
    ("MPI_Info_delete", "hC"),
    ("MPI_Info_dup", "hh"),
    ("MPI_Info_free", "h"),
    ("MPI_Info_get", "hCiCi"),
    ("MPI_Info_get_nkeys", "hi"),
    ("MPI_Info_get_nthkey", "hiC"),
    ("MPI_Info_get_valuelen", "hCii"),
    ("MPI_Info_set", "hCC"),
    ("MPI_Pack_external", "Cihiii"),
    ("MPI_Pack_external_size", "Cihi"),
    ("MPI_Request_get_status", "iis"),
    ("MPI_Type_create_darray", "iiiIBIIbhh"),
    ("MPI_Type_create_hindexed", "iIIhh"),
    ("MPI_Type_create_hvector", "iiihh"),
    ("MPI_Type_create_indexed_block", "iiIhh"),
    ("MPI_Type_create_resized", "hiih"),
    ("MPI_Type_create_struct", "iIIHh"),
    ("MPI_Type_create_subarray", "iIIIbhh"),
    ("MPI_Type_get_extent", "hii"),
    ("MPI_Type_get_true_extent", "hii"),
    ("MPI_Unpack_external", "Ciiiih"),
    ("MPI_Win_create_errhandler", "!"),
    ("MPI_Win_get_errhandler", "!"),
    ("MPI_Win_set_errhandler", "!"),
    ("MPI_File_open", "!"),
    ("MPI_File_close", "!"),
    ("MPI_File_delete", "!"),
    ("MPI_File_set_size", "!"),
    ("MPI_File_preallocate", "!"),
    ("MPI_File_get_size", "!"),
    ("MPI_File_get_group", "!"),
    ("MPI_File_get_amode", "!"),
    ("MPI_File_set_info", "!"),
    ("MPI_File_get_info", "!"),
    ("MPI_File_set_view", "!"),
    ("MPI_File_get_view", "!"),
    ("MPI_File_read_at", "!"),
    ("MPI_File_read_at_all", "!"),
    ("MPI_File_write_at", "!"),
    ("MPI_File_write_at_all", "!"),
    ("MPI_File_iread_at", "!"),
    ("MPI_File_iwrite_at", "!"),
    ("MPI_File_read", "!"),
    ("MPI_File_read_all", "!"),
    ("MPI_File_write", "!"),
    ("MPI_File_write_all", "!"),
    ("MPI_File_iread", "!"),
    ("MPI_File_iwrite", "!"),
    ("MPI_File_seek", "!"),
    ("MPI_File_get_position", "!"),
    ("MPI_File_get_byte_offset", "!"),
    ("MPI_File_read_shared", "!"),
    ("MPI_File_write_shared", "!"),
    ("MPI_File_iread_shared", "!"),
    ("MPI_File_iwrite_shared", "!"),
    ("MPI_File_read_ordered", "!"),
    ("MPI_File_write_ordered", "!"),
    ("MPI_File_seek_shared", "!"),
    ("MPI_File_get_position_shared", "!"),
    ("MPI_File_read_at_all_begin", "!"),
    ("MPI_File_read_at_all_end", "!"),
    ("MPI_File_write_at_all_begin", "!"),
    ("MPI_File_write_at_all_end", "!"),
    ("MPI_File_read_all_begin", "!"),
    ("MPI_File_read_all_end", "!"),
    ("MPI_File_write_all_begin", "!"),
    ("MPI_File_write_all_end", "!"),
    ("MPI_File_read_ordered_begin", "!"),
    ("MPI_File_read_ordered_end", "!"),
    ("MPI_File_write_ordered_begin", "!"),
    ("MPI_File_write_ordered_end", "!"),
    ("MPI_File_get_type_extent", "!"),
    ("MPI_Register_datarep", "!"),
    ("MPI_File_set_atomicity", "!"),
    ("MPI_File_get_atomicity", "!"),
    ("MPI_File_sync", "!"),
    ("MPIO_Test", "!"),
    ("MPIO_Wait", "!"),
    ("MPIO_Testall", "!"),
    ("MPIO_Waitall", "!"),
    ("MPIO_Testany", "!"),
    ("MPIO_Waitany", "!"),
    ("MPIO_Waitsome", "!"),
    ("MPIO_Testsome", "!"),
];

/// Numbers after those of the calls: functions of the program, and the end of the stream.
pub(super) const FUNCTION_ENTER: u16 = 291;
pub(super) const FUNCTION_EXIT: u16 = 292;
pub(super) const END_OF_STREAM: u16 = 293;

/// Bytes of a status: length, source, cancelled, error, tag.
const STATUS_BYTES: usize = 14;

/// Reads a file from a given place.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub all: &'a [u8],
    pub at: usize,
}

impl<'a> Bytes<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.all.len());
        let end = end.ok_or_else(|| {
            problem("the file ends within a record", "a complete file; this one is truncated")
        })?;
        let taken = &self.all[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        Ok(self.take(N)?.try_into().expect("`N` bytes are taken"))
    }

    pub fn u8(&mut self) -> Result<u8, Problem> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Problem> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Problem> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Problem> {
        self.array().map(u64::from_be_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Problem> {
        self.array().map(i32::from_be_bytes)
    }

    /// The elements of an array, `width` bytes each.
    fn elements(&mut self, width: usize) -> Result<&'a [u8], Problem> {
        let length = self.u32()? as usize;
        self.take(length.saturating_mul(width))
    }
}

/// The fields of a call: numbers in order, and arrays in order.
#[derive(Default)]
pub(super) struct Fields<'a> {
    numbers: [i64; 12],
    count: usize,
    lists: [&'a [u8]; 6],
    list_count: usize,
}

impl<'a> Fields<'a> {
    /// Reads the fields of a layout.
    pub fn read(bytes: &mut Bytes<'a>, layout: &str, has_statuses: bool) -> Result<Self, Problem> {
        let mut fields = Fields::default();
        let mut is_skipped = false;
        for code in layout.bytes() {
            match code {
                b'(' => is_skipped = fields.numbers[0] != fields.root(),
                b')' => is_skipped = false,
                _ if is_skipped => {}
                b'b' => fields.push(bytes.u8()?.into()),
                b'h' => fields.push(bytes.u16()?.into()),
                b'i' => fields.push(bytes.i32()?.into()),
                b'q' => fields.push(bytes.u64()? as i64),
                b's' => {
                    if has_statuses {
                        bytes.elements(STATUS_BYTES)?;
                    }
                }
                b'I' => fields.push_list(bytes.elements(4)?),
                b'H' => fields.push_list(bytes.elements(2)?),
                b'B' | b'C' => fields.push_list(bytes.elements(1)?),
                b'S' => {
                    for _ in 0..bytes.u32()? {
                        bytes.elements(1)?;
                    }
                }
                b'J' => {
                    let begin = bytes.at;
                    for _ in 0..bytes.u32()? {
                        bytes.elements(4)?;
                    }
                    fields.push_list(&bytes.all[begin..bytes.at]);
                }
                code => unreachable!("no layout has {}", char::from(code)),
            }
        }
        Ok(fields)
    }

    fn push(&mut self, number: i64) {
        self.numbers[self.count] = number;
        self.count += 1;
    }

    fn push_list(&mut self, list: &'a [u8]) {
        self.lists[self.list_count] = list;
        self.list_count += 1;
    }

    /// The root, which comes before the communicator, if that has been the last field.
    fn root(&self) -> i64 {
        self.numbers[self.count - 2]
    }

    /// Number `index`.
    pub fn number(&self, index: usize) -> i64 {
        self.numbers[index]
    }

    /// Whether array `index` is present.
    pub fn has_list(&self, index: usize) -> bool {
        index < self.list_count
    }

    /// Array `index` of four-byte elements.
    pub fn list(&self, index: usize) -> impl Iterator<Item = i64> + 'a {
        let of = |bytes: &[u8]| i64::from(i32::from_be_bytes(bytes.try_into().expect("four bytes")));
        self.lists[index].chunks_exact(4).map(of)
    }

    /// Array `index` of two-byte elements.
    pub fn short_list(&self, index: usize) -> impl Iterator<Item = i64> + 'a {
        let of = |bytes: &[u8]| i64::from(u16::from_be_bytes(bytes.try_into().expect("two bytes")));
        self.lists[index].chunks_exact(2).map(of)
    }

    /// Array `index` of arrays of four-byte elements.
    pub fn lists(&self, index: usize) -> Vec<Vec<i64>> {
        let mut bytes = Bytes { all: self.lists[index], at: 4 };
        let mut lists = Vec::new();
        while let Ok(list) = bytes.elements(4) {
            let of = |bytes: &[u8]| i64::from(i32::from_be_bytes(bytes.try_into().expect("four bytes")));
            lists.push(list.chunks_exact(4).map(of).collect());
        }
        lists
    }
}
